import Core
import FoundationEssentials
import Support
import Testing

@testable import Inspection

@Suite(.timeLimit(.minutes(10))) struct EventGraphTests {
    private func event(
        _ id: Int64, _ kind: Event.Kind, cause: Int64? = nil, subject: String? = nil,
        details: [String: String] = [:]
    ) -> Event {
        Event(
            id: id, at: FrozenWorld.noon, workspace: "main", kind: kind, app: "a", device: "d",
            cause: cause, subject: subject, title: "\(kind.rawValue) \(id)", details: details)
    }

    /// A registration: the submit, the mail its call sent, the call, the storage write and the
    /// screen it caused; then the use of the mail's link; then an unrelated submit.
    private var events: [Event] {
        [
            event(1, .actionSubmitted),
            event(2, .mailReceived, subject: "mail_1", details: ["request": "req_9"]),
            event(
                3, .exchangeEnded, cause: 1, subject: "exc_1",
                details: ["request": "req_9"]),
            event(4, .storageWritten, cause: 3, subject: "token"),
            event(5, .screenShown, cause: 3, subject: "verify"),
            event(6, .mailUsed, subject: "mail_1"),
            event(7, .actionSubmitted),
        ]
    }

    @Test func `an event chain lists causes before their effects`() {
        let graph = EventGraph(events)
        let steps = graph.chain(of: events[3])
        #expect(steps.map(\.event.id) == [1, 3, 2, 6, 4, 5])
        #expect(steps.map(\.depth) == [0, 1, 2, 3, 2, 2])
    }

    @Test func `every event of a chain yields the same chain`() {
        let graph = EventGraph(events)
        let expected = graph.chain(of: events[0]).map(\.event.id)
        for event in events.dropLast() {
            #expect(graph.chain(of: event).map(\.event.id) == expected)
        }
    }

    @Test func `the cause of a mail is the exchange that sent it`() {
        let graph = EventGraph(events)
        #expect(graph.cause(of: events[1])?.id == 3)
        #expect(graph.cause(of: events[5])?.id == 2)
    }

    @Test func `a chain starts at the first event whose cause was pruned`() {
        let remaining = Array(events.dropFirst(2))
        let steps = EventGraph(remaining).chain(of: remaining[1])
        #expect(steps.map(\.event.id) == [3, 4, 5])
    }

    @Test func `the graph around an event has the chain of all events`() async {
        await Cases("connected events").check { fuzz in
            let hub = EventHub(now: { FrozenWorld.noon }, capacity: 40)
            let kinds: [Event.Kind] = [
                .actionSubmitted, .exchangeEnded, .exchangeEnded, .screenShown, .mailReceived,
                .mailUsed,
            ]
            for id in 1...Int64(20 + fuzz.number(below: 40)) {
                let cause = Int64(1 + fuzz.number(below: Int(id)))
                hub.publish(
                    event(
                        id, fuzz.one(of: kinds), cause: fuzz.chance(oneIn: 3) ? nil : cause,
                        subject: "mail_\(fuzz.number(below: 8))",
                        details: ["request": "r\(fuzz.number(below: 30))"]))
            }
            let all = hub.events(in: "main")
            let event = fuzz.one(of: all)
            let chain = EventGraph(all).chain(of: event)
            let graph = EventGraph(around: event, in: hub)
            try #require(graph.chain(of: event).map(\.event.id) == chain.map(\.event.id))
            try #require(graph.chain(of: event).map(\.depth) == chain.map(\.depth))
            return chain.count > 2 && graph.events.count < all.count
        }
    }

    @Test func `a cycle of causes terminates`() {
        let cycle = [event(1, .screenShown, cause: 2), event(2, .screenShown, cause: 1)]
        #expect(EventGraph(cycle).chain(of: cycle[0]).count == 2)
    }

    @Test func `a mail's chain includes the call that used it`() {
        let used = [
            event(1, .actionSubmitted),
            event(2, .mailReceived, subject: "mail_1", details: ["request": "r1"]),
            event(3, .exchangeEnded, cause: 1, details: ["request": "r1"]),
            event(4, .actionSubmitted),
            event(5, .mailUsed, subject: "mail_1", details: ["request": "r2"]),
            event(6, .exchangeEnded, cause: 4, details: ["request": "r2"]),
            event(7, .screenShown, cause: 6, subject: "wall"),
        ]
        let graph = EventGraph(used)
        #expect(graph.cause(of: used[4])?.id == 6)
        #expect(graph.chain(of: used[1]).map(\.event.id) == [1, 3, 2, 5, 6, 7])
        #expect(graph.chain(of: used[5]).map(\.event.id) == [4, 6, 5, 7])
    }
}
