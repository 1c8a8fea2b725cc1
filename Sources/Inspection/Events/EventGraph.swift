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
        guard events.contains(where: \.isAboutMail) else { return }
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
}

extension EventGraph {
    /// The graph of the stored events connected to `event`: it has the same chain as that of all
    /// events.
    package init(around event: Event, in hub: EventHub) {
        var connected = ConnectedEvents()
        var found = [event]
        while !found.isEmpty {
            for event in found {
                connected.add(event)
                var cause = event.cause
                while let id = cause, !connected.contains(id),
                    let event = hub.event(id, in: event.workspace)
                {
                    connected.add(event)
                    cause = event.cause
                }
            }
            found = hub.events(in: event.workspace) { connected.addIfLinked($0) }
        }
        self.init(connected.events.values.sorted { $0.id < $1.id })
    }
}

/// Collects events that are linked by causes, mails and the requests that sent or used them.
private struct ConnectedEvents {
    private(set) var events: [Int64: Event] = [:]
    private var lowestID = Int64.max
    private var highestID = Int64.min
    /// Of the collected calls and mails.
    private var requests: Set<String> = []
    private var mails: Set<String> = []

    func contains(_ id: Int64) -> Bool {
        lowestID <= id && id <= highestID && events[id] != nil
    }

    mutating func add(_ event: Event) {
        events[event.id] = event
        lowestID = min(lowestID, event.id)
        highestID = max(highestID, event.id)
        if event.isAboutMail, let mail = event.subject { mails.insert(mail) }
        if event.isAboutMail || event.kind == .exchangeEnded,
            let request = event.details["request"]
        {
            requests.insert(request)
        }
    }

    /// Adds an event if it is linked to a collected one; false if it is not, or collected already.
    mutating func addIfLinked(_ event: Event) -> Bool {
        var isLinked = event.cause.map(contains) ?? false
        if event.isAboutMail { isLinked = isLinked || event.subject.map(mails.contains) ?? false }
        if event.isAboutMail || event.kind == .exchangeEnded && !mails.isEmpty {
            isLinked = isLinked || event.details["request"].map(requests.contains) ?? false
        }
        guard isLinked, !contains(event.id) else { return false }
        add(event)
        return true
    }
}

extension Event {
    fileprivate var isAboutMail: Bool { kind == .mailReceived || kind == .mailUsed }
}
