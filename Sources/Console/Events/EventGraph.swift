import Core

/// What led to what among the events that are kept.
///
/// Most events name their cause. A mail is sent by the backend, which knows
/// no event of ours: the request it was sent for names the exchange, and so
/// does the request its code or link was used with.
struct EventGraph: Sendable {
    private let byID: [Int64: Event]
    /// The exchange that bore a request's id.
    private let exchangeEventIDs: [String: Int64]
    /// The event a mail was caught with.
    private let mailEventIDs: [String: Int64]
    /// Oldest first.
    let events: [Event]

    init(_ events: [Event]) {
        self.events = events
        byID = Dictionary(events.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        exchangeEventIDs = Dictionary(
            events.filter { $0.kind == .exchangeEnded }.compactMap { event in
                event.details["request"].map { ($0, event.id) }
            }, uniquingKeysWith: { $1 })
        mailEventIDs = Dictionary(
            events.filter { $0.kind == .mailReceived }.compactMap { event in
                event.subject.map { ($0, event.id) }
            }, uniquingKeysWith: { $1 })
    }

    /// What led to it, if that is kept.
    func cause(of event: Event) -> Event? {
        let id: Int64? =
            switch event.kind {
            case .mailReceived: exchangeEventID(of: event)
            // A link followed in a browser is no call of an app.
            case .mailUsed: exchangeEventID(of: event) ?? mailEventID(of: event)
            default: event.cause
            }
        // An effect is told of before its exchange has ended, never the
        // other way round but for a mail.
        return id.flatMap { byID[$0] }
    }

    private func exchangeEventID(of event: Event) -> Int64? {
        event.details["request"].flatMap { exchangeEventIDs[$0] }
    }

    private func mailEventID(of event: Event) -> Int64? {
        event.subject.flatMap { mailEventIDs[$0] }
    }

    /// One step of a thread: how far it is from its beginning.
    struct Step: Sendable {
        let event: Event
        let depth: Int
    }

    /// A thread that goes on for longer is told up to here.
    private static let maxSteps = 60

    /// Everything that hangs together with `event`: from what began it,
    /// causes before their effects, each in the order of time.
    func chain(of event: Event) -> [Step] {
        var root = event
        var seen: Set<Int64> = [event.id]
        while let cause = cause(of: root), seen.insert(cause.id).inserted { root = cause }
        var effects: [Int64: [Event]] = [:]
        for one in events {
            guard let cause = cause(of: one), cause.id != one.id else { continue }
            effects[cause.id, default: []].append(one)
            // A mail leads on to the call its code was used with.
            if one.kind == .mailUsed, cause.kind == .exchangeEnded, let mail = mailEventID(of: one)
            {
                effects[mail, default: []].append(one)
                effects[one.id, default: []].append(cause)
            }
        }
        var steps: [Step] = []
        var waiting = [Step(event: root, depth: 0)]
        var told: Set<Int64> = []
        while let step = waiting.popLast(), steps.count < Self.maxSteps {
            guard told.insert(step.event.id).inserted else { continue }
            steps.append(step)
            for effect in (effects[step.event.id] ?? []).reversed() {
                waiting.append(Step(event: effect, depth: step.depth + 1))
            }
        }
        return steps
    }

    /// The newest event that speaks of something: a mail's, a session's …
    func newestEvent(
        _ kinds: Set<Event.Kind>, subject: String, where isMeant: (Event) -> Bool = { _ in true }
    ) -> Event? { events.last { kinds.contains($0.kind) && $0.subject == subject && isMeant($0) } }
}
