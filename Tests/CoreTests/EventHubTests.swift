import Core
import Support
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventHubTests {
    private let hub = EventHub(now: { FrozenWorld.noon }, capacity: 3, listenerCapacity: 2)

    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    private func publish(_ title: String, in workspace: String = "main") {
        hub.publish(Event(workspace: workspace, kind: .screenShown, title: title))
    }

    @Test func `events are numbered per workspace from one`() {
        publish("a")
        publish("b")
        publish("elsewhere", in: "lease")
        #expect(hub.events(in: "main").map(\.id) == [1, 2])
        #expect(hub.events(in: "lease").map(\.id) == [1])
    }

    @Test func `only the newest events are stored, in order`() {
        for title in ["a", "b", "c", "d", "e"] { publish(title) }
        #expect(hub.events(in: "main").map(\.title) == ["c", "d", "e"])
        #expect(hub.events(in: "main", after: 4).map(\.title) == ["e"])
        #expect(hub.events(in: "main", after: 5).isEmpty)
    }

    @Test func `the newest events that match are found, oldest first`() {
        for title in ["a", "b", "a", "b", "a"] { publish(title) }
        func newest(_ limit: Int, _ title: String) -> [Int64] {
            hub.newestEvents(in: "main", limit: limit) { $0.title == title }.map(\.id)
        }
        #expect(newest(1, "a") == [5])
        #expect(newest(9, "a") == [3, 5])
        #expect(newest(9, "c") == [])
        #expect(hub.newestEvents(in: "empty", limit: 1) { _ in true }.isEmpty)
    }

    @Test func `the first events after an id that match are found, oldest first`() {
        for title in ["a", "b", "a", "b", "a"] { publish(title) }
        func first(_ limit: Int, after id: Int64, _ title: String) -> [Int64] {
            hub.events(in: "main", after: id, limit: limit) { $0.title == title }.map(\.id)
        }
        #expect(first(1, after: 0, "a") == [3])
        #expect(first(9, after: 0, "a") == [3, 5])
        #expect(first(9, after: 3, "a") == [5])
        #expect(first(9, after: 5, "a") == [])
        #expect(hub.event(4, in: "main")?.title == "b")
        #expect(hub.event(2, in: "main") == nil)
        #expect(hub.event(6, in: "main") == nil)
    }

    @Test func `a listener that reconnects receives every stored event`() async {
        publish("a")
        publish("b")
        var stream = hub.listen(to: "main", after: 1).makeAsyncIterator()
        publish("c")
        #expect(await stream.next()?.title == "b")
        #expect(await stream.next()?.title == "c")
    }

    @Test func `a listener without an id receives only later events`() async {
        publish("before")
        var stream = hub.listen(to: "main").makeAsyncIterator()
        publish("after")
        #expect(await stream.next()?.title == "after")
    }

    @Test func `a listener that never reads loses its stream and affects no other`() async {
        let slow = hub.listen(to: "main")
        for title in ["a", "b", "c", "d"] { publish(title) }
        var titles: [String] = []
        for await event in slow { titles.append(event.title) }
        #expect(titles == ["a", "b"])
        var fresh = hub.listen(to: "main").makeAsyncIterator()
        publish("e")
        #expect(await fresh.next()?.title == "e")
    }

    /// Canceling a task ends its stream under the runtime's lock for that task, which waking the
    /// task takes too: cancellation and publishing must not wait for each other.
    @Test func `listeners may leave during publishing`() async {
        let flag = Flag()
        async let published: Void = BlockingThread.run { [hub] in
            while !flag.isSet {
                hub.publish(Event(workspace: "main", kind: .screenShown, title: "a"))
            }
        }
        var listeners: [Task<Void, Never>] = []
        // As many listeners as one second allows; a few hundred are enough.
        let deadline = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < deadline {
            let listener = Task.detached { [hub] in for await _ in hub.listen(to: "main") {} }
            await Task.yield()
            listener.cancel()
            listeners.append(listener)
        }
        for listener in listeners { await listener.value }
        flag.set()
        await published
        #expect(!hub.hasListeners)
    }

    @Test func `restored events keep their ids, and new ones continue after the last id`() {
        publish("a")
        let other = EventHub(now: { FrozenWorld.noon })
        other.restore(hub.events(in: "main"), lastID: 70, in: "main")
        other.publish(Event(workspace: "main", kind: .screenShown, title: "b"))
        #expect(other.events(in: "main").map(\.id) == [1, 71])
    }

    @Test func `a hub reports whether it has listeners`() {
        #expect(!hub.hasListeners)
        let stream = hub.listen(to: "main")
        #expect(hub.hasListeners)
        hub.close()
        #expect(!hub.hasListeners)
        withExtendedLifetime(stream) {}
    }

    @Test func `closing ends every stream`() async {
        let stream = hub.listen(to: "main")
        hub.close()
        var received = 0
        for await _ in stream { received += 1 }
        #expect(received == 0)
    }

    @Test func `events of a removed workspace are not stored`() {
        publish("a", in: "lease")
        hub.remove(workspace: "lease")
        publish("late", in: "lease")
        #expect(hub.events(in: "lease").isEmpty)
        #expect(hub.lastIDs()["lease"] == nil)
    }

    @Test func `only the most recently removed workspaces are remembered`() {
        for number in 0..<5_000 { hub.remove(workspace: "lease-\(number)") }
        publish("late", in: "lease-4999")
        publish("long after", in: "lease-0")
        #expect(hub.lastIDs() == ["lease-0": 1])
    }
}
