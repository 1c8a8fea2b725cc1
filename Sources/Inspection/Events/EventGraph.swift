package import Core

/// Causes and effects among the stored events.
///
/// Most events name their cause. A mail is sent by the backend, which does not know the console's
/// events: the request that it was sent for identifies the exchange, and so does the request that
/// used its code or link.
package struct EventGraph: Sendable {
    /// `exchangeEnded` events by the exchange's request id; none without mail, whose cause it is.
    private var exchangeEventIDs: [String: Int64] = [:]
    /// `mailReceived` events by the mail's id.
    private var mailEventIDs: [String: Int64] = [:]
    /// Oldest first.
    package let events: [Event]

    /// `events` are in the order of their ids.
    package init(_ events: [Event]) {
        self.events = events
        guard events.contains(where: { $0.kind == .mailReceived || $0.kind == .mailUsed }) else {
            return
        }
        for event in events {
            if event.kind == .exchangeEnded, let request = event.details["request"] {
                exchangeEventIDs[request] = event.id
            } else if event.kind == .mailReceived, let mail = event.subject {
                mailEventIDs[mail] = event.id
            }
        }
    }

    private func event(_ id: Int64) -> Event? {
        var range = events.indices
        while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
            if events[middle].id == id { return events[middle] }
            range =
                events[middle].id < id
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// The event's cause, if it is still stored.
    package func cause(of event: Event) -> Event? {
        let id: Int64? =
            switch event.kind {
            case .mailReceived: exchangeEventID(of: event)
            // A link that a browser opens is not a call of an app.
            case .mailUsed: exchangeEventID(of: event) ?? mailEventID(of: event)
            default: event.cause
            }
        // The cause can be newer than the event, but only for mail, which is published before its
        // exchange has ended.
        return id.flatMap(self.event)
    }

    private func exchangeEventID(of event: Event) -> Int64? {
        event.details["request"].flatMap { exchangeEventIDs[$0] }
    }

    private func mailEventID(of event: Event) -> Int64? {
        event.subject.flatMap { mailEventIDs[$0] }
    }

    /// One event of a chain; `depth` is the distance from the root.
    package typealias Step = (event: Event, depth: Int)

    /// Longer chains are cut off here.
    private static let maxSteps = 60

    /// All events connected to `event`, from the root cause on: causes before their effects,
    /// effects in chronological order.
    package func chain(of event: Event) -> [Step] {
        var root = event
        var seen: Set<Int64> = [event.id]
        while let cause = cause(of: root), seen.insert(cause.id).inserted { root = cause }
        var effects: [Int64: [Event]] = [:]
        for candidate in events {
            guard let cause = cause(of: candidate), cause.id != candidate.id else { continue }
            effects[cause.id, default: []].append(candidate)
            // A mail leads to the call that used its code.
            if candidate.kind == .mailUsed, cause.kind == .exchangeEnded,
                let mail = mailEventID(of: candidate)
            {
                effects[mail, default: []].append(candidate)
                effects[candidate.id, default: []].append(cause)
            }
        }
        var steps: [Step] = []
        var stack: [Step] = [(root, 0)]
        var visited: Set<Int64> = []
        while let step = stack.popLast(), steps.count < Self.maxSteps {
            guard visited.insert(step.event.id).inserted else { continue }
            steps.append(step)
            for effect in (effects[step.event.id] ?? []).reversed() {
                stack.append((effect, step.depth + 1))
            }
        }
        return steps
    }

    /// The newest event with a given subject: a mail's id, a session's …
    package func newestEvent(_ kinds: Set<Event.Kind>, subject: String) -> Event? {
        events.last { kinds.contains($0.kind) && $0.subject == subject }
    }
}
