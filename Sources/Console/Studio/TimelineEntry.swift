import Core

/// One mark of the timeline before it has a place.
struct TimelineEntry {
    var event: Event
    var shape: TimelineModel.Shape
    /// 0 screens, 1 calls, 2 storage, 3 mail.
    var lane: Int
    var label: String
    /// The event that led to it, as far as anything names it.
    var causeID: Int64?
    /// How many events of one kind it stands for.
    var count = 1

    /// Nil for events that are not drawn.
    init?(_ event: Event) {
        let drawn: (TimelineModel.Shape, Int, String)
        switch event.kind {
        case .screenShown: drawn = (.screen, 0, event.subject ?? "screen")
        case .ruleFailed: drawn = (.refused, 0, "rule")
        case .exchangeEnded:
            let status = event.details["status"].flatMap { Int($0) }
            drawn = (
                status.map { $0 >= 400 } ?? true ? .refused : .call, 1,
                status.map(String.init) ?? "no answer"
            )
        case .storageWritten: drawn = (.storage, 2, "1")
        case .storageDeleted: drawn = (.storage, 2, "1 deleted")
        case .storageRevealed: drawn = (.storage, 2, "revealed")
        case .sessionChanged where event.isManualExpiry: drawn = (.fault, 2, "expired")
        case .snapshotRestored, .stateRestored: drawn = (.fault, 2, "restored")
        case .faultApplied: drawn = (.fault, 2, event.details["word"] ?? "condition")
        // That one is used up stands beside its last strike.
        case .faultChanged where event.details["change"] != "used up":
            let word = event.details["word"] ?? "condition"
            let isEnd = event.details["change"] == "ended"
            drawn = (.fault, 2, isEnd ? "\(word) ended" : word)
        case .mailReceived: drawn = (.mail, 3, "mail")
        case .mailUsed: drawn = (.mail, 3, "used")
        default: return nil
        }
        self.event = event
        (shape, lane, label) = drawn
        causeID = event.cause
    }

    /// Events of one burst: mail after the call that sent or used it, writes
    /// that follow each other as one mark with a number.
    static func entries(of burst: EventGroup) -> [TimelineEntry] {
        let graph = EventGraph(burst.events)
        var drafts: [TimelineEntry] = []
        var mails: [TimelineEntry] = []
        for event in burst.events {
            // Making a token expire writes it; that is one thing.
            if event.kind == .storageWritten, event.cause == nil, burst.isManualTokenExpiry {
                continue
            }
            guard var draft = TimelineEntry(event) else { continue }
            if [.mailReceived, .mailUsed].contains(event.kind) {
                draft.causeID = graph.cause(of: event)?.id
                // Told of while its call is still under way.
                if event.kind == .mailReceived || draft.causeID != nil {
                    mails.append(draft)
                    continue
                }
            }
            if let last = drafts.last, last.lane == 2, draft.lane == 2, draft.shape == .storage,
                last.event.kind == event.kind
            {
                drafts[drafts.count - 1].incrementCount()
                continue
            }
            if event.details["cause"] == "load", draft.causeID == nil {
                draft.causeID = drafts.last { $0.shape == .screen }?.event.id
            }
            drafts.append(draft)
            guard event.kind == .exchangeEnded else { continue }
            for mail in mails where mail.causeID ?? event.id == event.id {
                drafts.append(mail)
                drafts[drafts.count - 1].causeID = event.id
            }
            mails.removeAll { $0.causeID ?? event.id == event.id }
        }
        return drafts + mails
    }

    private mutating func incrementCount() {
        count += 1
        label = event.kind == .storageDeleted ? "\(count) deleted" : String(count)
    }
}
