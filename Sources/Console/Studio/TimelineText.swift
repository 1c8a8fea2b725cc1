import Core
import FoundationEssentials

/// What the timeline's pop-over says of a mark: what it was, because of what,
/// and what came of it.
struct TimelineText {
    /// Of one burst, oldest first.
    let entries: [TimelineEntry]
    /// The base of the app's calls: paths are told below it.
    let base: String

    /// `POST /auth/refresh 200`.
    func title(_ draft: TimelineEntry) -> String {
        let event = draft.event
        guard event.kind == .exchangeEnded else {
            return draft.count > 1 ? countText(draft) : event.title
        }
        return [requestText(event), draft.label].joined(separator: " ")
    }

    /// `silent refresh, 14:34:50.122`.
    func timing(_ draft: TimelineEntry) -> String {
        let event = draft.event
        let cause = event.details["cause"].map { $0 == "refresh" ? "silent refresh" : $0 }
        return [cause, Format.dateTimeMilliseconds(event.at)].compactMap(\.self).joined(
            separator: ", ")
    }

    /// `Because GET /auth/me was refused. Then 2 items stored.`
    func causeAndEffect(_ draft: TimelineEntry) -> String {
        if draft.event.kind == .faultApplied,
            let struck = entries.first(where: { $0.event.id == draft.causeID })
        {
            return "Struck \(requestText(struck.event))."
        }
        var sentences: [String] = []
        if let id = draft.causeID, let cause = entries.first(where: { $0.event.id == id }) {
            sentences.append("Because " + causeText(cause) + ".")
        }
        let effects = entries.filter { $0.causeID == draft.event.id }.map(effectText)
        if !effects.isEmpty { sentences.append("Then " + effects.joined(separator: " and ") + ".") }
        return sentences.joined(separator: " ")
    }

    private func causeText(_ cause: TimelineEntry) -> String {
        switch cause.event.kind {
        case .exchangeEnded:
            requestText(cause.event) + (cause.shape == .refused ? " was refused" : " was answered")
        case .screenShown: "\(cause.label) was shown"
        default: cause.event.title
        }
    }

    private func effectText(_ draft: TimelineEntry) -> String {
        switch draft.event.kind {
        case .exchangeEnded:
            requestText(draft.event)
                + (draft.event.details["cause"] == "retry" ? " sent again" : " sent")
        case .screenShown: "\(draft.label) shown"
        case .storageWritten, .storageDeleted: countText(draft)
        case .mailReceived: "a mail caught"
        case .mailUsed: "a mail used"
        case .faultApplied: "struck by \(draft.event.title)"
        default: draft.event.title
        }
    }

    private func countText(_ draft: TimelineEntry) -> String {
        Format.count(draft.count, "item")
            + (draft.event.kind == .storageDeleted ? " deleted" : " stored")
    }

    private func requestText(_ event: Event) -> String {
        let method = event.details["method"] ?? ""
        let path = event.details["path"] ?? event.title
        return method + " " + Format.path(path, below: base)
    }
}
