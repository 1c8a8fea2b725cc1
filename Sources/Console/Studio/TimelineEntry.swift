import Core
import Inspection

/// A mark of the timeline before layout.
struct TimelineEntry {
    var event: Event
    var shape: TimelineModel.Shape
    /// 0 screens, 1 calls, 2 storage, 3 mail.
    var lane: Int
    var label: String
    /// The event that caused it, if known.
    var causeID: Int64?
    /// The number of similar events it represents.
    var count = 1

    /// Nil for events without a mark.
    init?(_ event: Event) {
        let mark: (TimelineModel.Shape, Int, String)
        switch event.kind {
        case .screenShown: mark = (.screen, 0, event.subject ?? "screen")
        case .appBackgrounded: mark = (.screen, 0, "background")
        case .appForegrounded: mark = (.screen, 0, "foreground")
        case .ruleFailed: mark = (.failed, 0, "validation error")
        case .exchangeEnded:
            let status = event.details["status"].flatMap { Int($0) }
            mark = (
                status.map { $0 >= 400 } ?? true ? .failed : .call, 1,
                status.map(String.init) ?? "no response"
            )
        case .storageWritten: mark = (.storage, 2, "1")
        case .storageDeleted: mark = (.storage, 2, "1 deleted")
        case .storageRevealed: mark = (.storage, 2, "revealed")
        case .sessionChanged where event.isManualExpiry: mark = (.fault, 2, "expired")
        case .sessionChanged where event.isRevocation: mark = (.fault, 2, "revoked")
        case .snapshotRestored, .stateRestored: mark = (.fault, 2, "restored")
        case .faultApplied: mark = (.fault, 2, event.details["name"] ?? "fault")
        // A used-up fault already has the mark of its last application.
        case .faultChanged where event.details["change"] != "exhausted":
            let faultName = event.details["name"] ?? "fault"
            let hasEnded = event.details["change"] == "ended"
            mark = (.fault, 2, hasEnded ? "\(faultName) off" : faultName)
        case .exchangePaused: mark = (.fault, 1, "paused")
        case .exchangeContinued:
            mark = (.fault, 1, event.details["outcome"] == "aborted" ? "aborted" : "continued")
        case .mailReceived: mark = (.mail, 3, "mail")
        case .mailUsed: mark = (.mail, 3, "opened")
        default: return nil
        }
        self.event = event
        (shape, lane, label) = mark
        causeID = event.cause
    }

    /// The entries of a group: a mail follows the call that sent or used it, and consecutive
    /// storage events form one entry with a count.
    static func entries(of group: EventGroup) -> [TimelineEntry] {
        let graph = EventGraph(group.events)
        var entries: [TimelineEntry] = []
        var mailEntries: [TimelineEntry] = []
        for event in group.events {
            // Expiring a token manually writes it to storage; both form one entry.
            if event.kind == .storageWritten, event.cause == nil, group.isManualTokenExpiry {
                continue
            }
            guard var entry = TimelineEntry(event) else { continue }
            if [.mailReceived, .mailUsed].contains(event.kind) {
                entry.causeID = graph.cause(of: event)?.id
                // Recorded while its call is still in flight.
                if event.kind == .mailReceived || entry.causeID != nil {
                    mailEntries.append(entry)
                    continue
                }
            }
            if let last = entries.last, last.lane == 2, entry.lane == 2, entry.shape == .storage,
                last.event.kind == event.kind
            {
                entries[entries.count - 1].incrementCount()
                continue
            }
            if event.details["cause"] == "load", entry.causeID == nil {
                entry.causeID = entries.last { $0.shape == .screen }?.event.id
            }
            entries.append(entry)
            guard event.kind == .exchangeEnded else { continue }
            for mailEntry in mailEntries where mailEntry.causeID ?? event.id == event.id {
                entries.append(mailEntry)
                entries[entries.count - 1].causeID = event.id
            }
            mailEntries.removeAll { $0.causeID ?? event.id == event.id }
        }
        return entries + mailEntries
    }

    private mutating func incrementCount() {
        count += 1
        label = event.kind == .storageDeleted ? "\(count) deleted" : String(count)
    }
}
