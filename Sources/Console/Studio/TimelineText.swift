import Core
import FoundationEssentials
import Traffic
import Web

/// The texts of a mark's popover: title, timing, cause and effects.
struct TimelineText {
    /// The entries of one group, oldest first.
    let entries: [TimelineEntry]
    /// The base URL of the app's calls; paths are shown relative to it.
    let base: String

    /// `POST /auth/refresh 200`.
    func title(_ entry: TimelineEntry) -> String {
        let event = entry.event
        guard event.kind == .exchangeEnded else {
            return entry.count > 1 ? countText(entry) : event.title
        }
        return [requestText(event), entry.label].joined(separator: " ")
    }

    /// `Silent refresh, 14:34:50.122`.
    func timing(_ entry: TimelineEntry) -> String {
        let event = entry.event
        let cause = event.details["cause"].flatMap(ExchangeContext.Cause.init).map {
            ExchangeRowModel.causeChip($0).text
        }
        return [cause, Format.dateTimeMilliseconds(event.at)].compactMap(\.self).joined(
            separator: ", ")
    }

    /// `Triggered by GET /auth/me (failed). Then 2 items stored.`
    func causeAndEffect(_ entry: TimelineEntry) -> String {
        if entry.event.kind == .faultApplied,
            let faultedCall = entries.first(where: { $0.event.id == entry.causeID })
        {
            return "Affected \(requestText(faultedCall.event))."
        }
        var sentences: [String] = []
        if let id = entry.causeID, let cause = entries.first(where: { $0.event.id == id }) {
            sentences.append("Triggered by " + causeText(cause) + ".")
        }
        let effects = entries.filter { $0.causeID == entry.event.id }.map(effectText)
        if !effects.isEmpty { sentences.append("Then " + effects.joined(separator: " and ") + ".") }
        return sentences.joined(separator: " ")
    }

    private func causeText(_ cause: TimelineEntry) -> String {
        switch cause.event.kind {
        case .exchangeEnded: requestText(cause.event) + (cause.shape == .failed ? " (failed)" : "")
        case .screenShown: "screen \(cause.label)"
        default: cause.event.title
        }
    }

    private func effectText(_ entry: TimelineEntry) -> String {
        switch entry.event.kind {
        case .exchangeEnded:
            requestText(entry.event)
                + (entry.event.details["cause"] == "retry" ? " retried" : " sent")
        case .screenShown: "\(entry.label) shown"
        case .storageWritten, .storageDeleted: countText(entry)
        case .mailReceived: "message received"
        case .mailUsed: "message opened"
        case .faultApplied: "affected by \(entry.event.title)"
        default: entry.event.title
        }
    }

    private func countText(_ entry: TimelineEntry) -> String {
        Format.count(entry.count, "item")
            + (entry.event.kind == .storageDeleted ? " deleted" : " stored")
    }

    private func requestText(_ event: Event) -> String {
        let method = event.details["method"] ?? ""
        let path = event.details["path"] ?? event.title
        return method + " " + Format.path(path, below: base)
    }
}
