import Surroundings

/// One mark of the timeline before it has a place.
struct TimelineDraft {
    var event: Event
    var shape: TimelineModel.Shape
    /// 0 screens, 1 calls, 2 storage, 3 mail.
    var lane: Int
    var label: String
    /// The event that led to it, as far as anything names it.
    var cause: Int64?
    /// How many events of one kind it stands for.
    var count = 1

    /// Nil for events that are not drawn.
    init?(_ event: Event) {
        let drawn: (TimelineModel.Shape, Int, String)
        switch event.kind {
        case .screen: drawn = (.screen, 0, event.subject ?? "screen")
        case .ruleFailed: drawn = (.refused, 0, "rule")
        case .exchange:
            let status = event.facts["status"].flatMap { Int($0) }
            drawn = (
                status.map { $0 >= 400 } ?? true ? .refused : .call, 1,
                status.map(String.init) ?? "no answer"
            )
        case .stored: drawn = (.storage, 2, "1")
        case .forgotten: drawn = (.storage, 2, "1 deleted")
        case .revealed: drawn = (.storage, 2, "revealed")
        case .sessionChanged where event.isExpiredByHand: drawn = (.condition, 2, "expired")
        case .snapshotRestored, .momentRestored: drawn = (.condition, 2, "restored")
        case .conditionApplied: drawn = (.condition, 2, event.facts["word"] ?? "condition")
        // That one is used up stands beside its last strike.
        case .conditionChanged where event.facts["change"] != "used up":
            let word = event.facts["word"] ?? "condition"
            let isEnd = event.facts["change"] == "ended"
            drawn = (.condition, 2, isEnd ? "\(word) ended" : word)
        case .mail: drawn = (.mail, 3, "mail")
        case .mailUsed: drawn = (.mail, 3, "used")
        default: return nil
        }
        self.event = event
        (shape, lane, label) = drawn
        cause = event.cause
    }

    /// Events of one burst: mail after the call that sent or used it, writes
    /// that follow each other as one mark with a number.
    static func drafts(_ burst: Burst) -> [TimelineDraft] {
        let graph = EventGraph(burst.events)
        var drafts: [TimelineDraft] = []
        var mails: [TimelineDraft] = []
        for event in burst.events {
            // Making a token expire writes it; that is one thing.
            if event.kind == .stored, event.cause == nil, burst.isByHand { continue }
            guard var draft = TimelineDraft(event) else { continue }
            if [.mail, .mailUsed].contains(event.kind) {
                draft.cause = graph.cause(of: event)?.id
                // Told of while its call is still under way.
                if event.kind == .mail || draft.cause != nil {
                    mails.append(draft)
                    continue
                }
            }
            if let last = drafts.last, last.lane == 2, draft.lane == 2, draft.shape == .storage,
                last.event.kind == event.kind
            {
                drafts[drafts.count - 1].add()
                continue
            }
            if event.facts["cause"] == "load", draft.cause == nil {
                draft.cause = drafts.last { $0.shape == .screen }?.event.id
            }
            drafts.append(draft)
            guard event.kind == .exchange else { continue }
            for mail in mails where mail.cause ?? event.id == event.id {
                drafts.append(mail)
                drafts[drafts.count - 1].cause = event.id
            }
            mails.removeAll { $0.cause ?? event.id == event.id }
        }
        return drafts + mails
    }

    private mutating func add() {
        count += 1
        label = event.kind == .forgotten ? "\(count) deleted" : String(count)
    }
}
