package import FoundationEssentials
import Synchronization

/// One ordered event stream per workspace, with a bounded history for late listeners.
///
/// Publishing never waits. The newest `capacity` events of a workspace are stored. A listener that
/// falls `listenerCapacity` events behind has its stream ended; it reconnects with the last id it
/// received and catches up.
package final class EventHub: Sendable {
    /// Events stored per workspace; the oldest are dropped beyond that.
    package let capacity: Int
    /// Events that may be buffered for one listener before its stream ends.
    package let listenerCapacity: Int

    private let now: @Sendable () -> Date
    private let state = Mutex(State())
    /// Listeners whose streams ended, to be removed from `state`.
    ///
    /// This needs its own lock, held only to append or take. Canceling a task ends its stream under
    /// the runtime's lock for that task, and publishing, while it holds `state`, takes the same
    /// lock to wake the task.
    private let endedListeners = Mutex<[Listener]>([])

    private struct Listener {
        let workspace: String
        let key: Int
    }

    private struct State {
        var workspaces: [String: Timeline] = [:]
        var nextListener = 0
        var observer: (@Sendable (String) -> Void)?
        /// Removed workspaces; events published to them later are not stored. Work in progress in
        /// one ends long before so many others are removed.
        var removedWorkspaces = LRUCache<String, Bool>(capacity: 4_096)
    }

    private struct Timeline {
        var events = RingBuffer()
        var lastID: Int64 = 0
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]

        /// Publishes `draft` with the next id to the listeners; returns those whose streams end,
        /// because they have fallen behind.
        mutating func append(_ draft: Event, at: Date, capacity: Int) -> (
            Event, dropped: [AsyncStream<Event>.Continuation]
        ) {
            lastID += 1
            let event = Event(draft, id: lastID, at: at)
            events.append(event, capacity: capacity)
            var dropped: [AsyncStream<Event>.Continuation] = []
            for (key, listener) in listeners {
                guard case .enqueued = listener.yield(event) else {
                    listeners[key] = nil
                    dropped.append(listener)
                    continue
                }
            }
            return (event, dropped)
        }
    }

    /// The newest events of a workspace; dropping the oldest is O(1).
    private struct RingBuffer {
        var slots: [Event] = []
        var head = 0

        var oldest: Event? { slots.isEmpty ? nil : slots[head] }

        /// The first events after `id` that `matches`, at most `limit`, oldest first.
        func oldest(_ limit: Int, after id: Int64, where matches: (Event) -> Bool) -> [Event] {
            // Ids only increase, so the first is found by binary search.
            var low = 0
            var high = slots.count
            while low < high {
                let middle = (low + high) / 2
                if slots[index(middle)].id > id { high = middle } else { low = middle + 1 }
            }
            return first(limit, at: low..<slots.count, where: matches)
        }

        /// The newest events that `matches`, at most `limit`, oldest first.
        func newest(_ limit: Int, where matches: (Event) -> Bool) -> [Event] {
            first(limit, at: slots.indices.reversed(), where: matches).reversed()
        }

        /// The first events at `positions` that `matches`, at most `limit`.
        private func first(
            _ limit: Int, at positions: some Sequence<Int>, where matches: (Event) -> Bool
        ) -> [Event] {
            var found: [Event] = []
            for position in positions {
                guard found.count < limit else { break }
                let event = slots[index(position)]
                if matches(event) { found.append(event) }
            }
            return found
        }

        /// The index of the event at `position`, counted from the oldest.
        private func index(_ position: Int) -> Int {
            let index = head + position
            return index < slots.count ? index : index - slots.count
        }

        mutating func append(_ event: Event, capacity: Int) {
            if slots.count < capacity {
                slots.append(event)
            } else {
                slots[head] = event
                head = (head + 1) % capacity
            }
        }
    }

    package init(
        now: @escaping @Sendable () -> Date, capacity: Int = 4_096, listenerCapacity: Int = 512
    ) {
        precondition(capacity > 0, "a hub without capacity cannot resume a stream")
        self.now = now
        self.capacity = capacity
        self.listenerCapacity = listenerCapacity
    }

    /// Appends `draft`, with an id and the time, to its workspace's timeline and notifies every
    /// listener.
    @discardableResult package func publish(_ draft: Event) -> Event {
        let at = now()
        let (event, dropped, observer) = state.withLock { state in
            removeEndedListeners(&state)
            // A removed workspace gets no new timeline.
            let isRemoved = state.removedWorkspaces.value(for: draft.workspace) != nil
            var removedTimeline = Timeline()
            let (event, dropped) =
                isRemoved
                ? removedTimeline.append(draft, at: at, capacity: capacity)
                : state.workspaces[draft.workspace, default: Timeline()].append(
                    draft, at: at, capacity: capacity)
            return (event, dropped, state.observer)
        }
        for listener in dropped { listener.finish() }
        observer?(event.workspace)
        return event
    }

    /// Removes a workspace's timeline and ends its listeners' streams.
    package func remove(workspace: String) {
        let (timeline, observer) = state.withLock { state in
            state.removedWorkspaces.set(workspace, true)
            return (state.workspaces.removeValue(forKey: workspace), state.observer)
        }
        for listener in timeline?.listeners.values ?? [:].values { listener.finish() }
        observer?(workspace)
    }

    /// The first stored events of a workspace after `id` that `matches`, at most `limit`, oldest
    /// first.
    ///
    /// `matches` is called under the hub's lock: it must be short and must not use the hub.
    package func events(
        in workspace: String, after id: Int64 = 0, limit: Int = .max,
        where matches: (Event) -> Bool = { _ in true }
    ) -> [Event] {
        state.withLock {
            $0.workspaces[workspace]?.events.oldest(limit, after: id, where: matches) ?? []
        }
    }

    /// The newest stored events of a workspace that `matches`, at most `limit`, oldest first.
    ///
    /// `matches` is called as by `events`, with the newest event first.
    package func newestEvents(in workspace: String, limit: Int, where matches: (Event) -> Bool)
        -> [Event]
    {
        state.withLock { $0.workspaces[workspace]?.events.newest(limit, where: matches) ?? [] }
    }

    /// The newest stored event of a workspace that `matches`, which is called as by `events`.
    package func newestEvent(in workspace: String, where matches: (Event) -> Bool) -> Event? {
        newestEvents(in: workspace, limit: 1, where: matches).first
    }

    /// The stored event with this id.
    package func event(_ id: Int64, in workspace: String) -> Event? {
        events(in: workspace, after: id - 1, limit: 1).first { $0.id == id }
    }

    /// The id of the oldest stored event of a workspace, 0 before the first.
    package func oldestID(in workspace: String) -> Int64 {
        state.withLock { $0.workspaces[workspace]?.events.oldest?.id ?? 0 }
    }

    /// The id of the newest event of a workspace, 0 before the first.
    package func lastID(in workspace: String) -> Int64 {
        state.withLock { $0.workspaces[workspace]?.lastID ?? 0 }
    }

    /// The stored events after `id`, then all that follow, without a gap.
    ///
    /// With `nil`, only those that follow. The stream ends when the listener falls too far behind
    /// or the hub or the workspace is closed.
    package func listen(to workspace: String, after id: Int64? = nil) -> AsyncStream<Event> {
        state.withLock { state in
            removeEndedListeners(&state)
            guard state.removedWorkspaces.value(for: workspace) == nil else {
                return AsyncStream { $0.finish() }
            }
            var timeline = state.workspaces[workspace] ?? Timeline()
            state.workspaces[workspace] = nil
            defer { state.workspaces[workspace] = timeline }
            let missed = id.map { timeline.events.oldest(.max, after: $0) { _ in true } } ?? []
            let (stream, continuation) = AsyncStream.makeStream(
                of: Event.self, bufferingPolicy: .bufferingOldest(missed.count + listenerCapacity))
            for event in missed { continuation.yield(event) }
            let key = state.nextListener
            state.nextListener += 1
            timeline.listeners[key] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.endedListeners.withLock {
                    $0.append(Listener(workspace: workspace, key: key))
                }
            }
            return stream
        }
    }

    /// Sets the one observer (the log on disk), called with the workspace after every event on the
    /// publishing thread.
    package func observe(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.observer = handler }
    }

    /// The id of the newest event of each workspace that has events.
    package func lastIDs() -> [String: Int64] {
        state.withLock { $0.workspaces.mapValues(\.lastID) }
    }

    /// Whether any workspace has a listener.
    package var hasListeners: Bool {
        state.withLock { state in
            removeEndedListeners(&state)
            return state.workspaces.values.contains { !$0.listeners.isEmpty }
        }
    }

    /// Restores the events stored by an earlier run of the process, oldest first.
    ///
    /// The next event's id is above `lastID`. The workspace must not have a timeline yet.
    package func restore(_ events: [Event], lastID: Int64, in workspace: String) {
        state.withLock { state in
            precondition(
                state.workspaces[workspace] == nil, "a timeline is restored before its first event")
            var timeline = Timeline()
            timeline.lastID = lastID
            for event in events {
                timeline.events.append(event, capacity: capacity)
                timeline.lastID = max(timeline.lastID, event.id)
            }
            state.workspaces[workspace] = timeline
        }
    }

    /// Ends every stream, for a clean shutdown.
    package func close() {
        let listeners = state.withLock { state in
            let all = state.workspaces.values.flatMap(\.listeners.values)
            for name in state.workspaces.keys { state.workspaces[name]?.listeners = [:] }
            return all
        }
        for listener in listeners { listener.finish() }
    }

    private func removeEndedListeners(_ state: inout State) {
        let ended = endedListeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        for listener in ended {
            state.workspaces[listener.workspace]?.listeners[listener.key] = nil
        }
    }
}
