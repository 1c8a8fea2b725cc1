import Core
import Inspection
import Simulator
import Traffic
import Web

/// Events of one app on one device that have a cause in common.
struct TimelineGroup {
    let title: String
    /// Oldest first; never empty.
    let events: [Event]
    /// Oldest first; never empty.
    var entries: [TimelineEntry]
    /// The base URL of the app's calls; paths are shown relative to it.
    let base: String

    /// The groups of `events`, oldest first, without those that have no entries.
    static func groups(of events: [Event], base: String) -> [TimelineGroup] {
        let firstLaunch = events.first { $0.kind == .appLaunched }?.id
        let currentScreen = events.last { $0.kind == .screenShown }?.id
        return EventGroup.groups(of: events).compactMap { group in
            var entries = TimelineEntry.entries(of: group)
            guard let first = group.events.first, !entries.isEmpty else { return nil }
            for index in entries.indices where entries[index].event.id == currentScreen {
                entries[index].shape = .current
            }
            return TimelineGroup(
                title: group.title(isRelaunch: firstLaunch.map { $0 < first.id } ?? false),
                events: group.events, entries: entries, base: base)
        }
    }
}

extension Services {
    /// The newest events of an app on a device, at most `limit`, including mail that its calls sent
    /// or used.
    func timeline(of instance: AppInstance, base: String, limit: Int) -> [TimelineGroup] {
        func isOfInstance(_ event: Event) -> Bool {
            event.app == instance.app && event.device == instance.device
        }
        let candidates = hub.newestEvents(in: instance.workspace, limit: limit) { event in
            switch event.kind {
            case .mailReceived, .mailUsed: true
            case .faultChanged:
                event.app.map { $0 == instance.app } ?? true
                    && event.device.map { $0 == instance.device } ?? true
            default: isOfInstance(event)
            }
        }
        // A mail event names no device, but the call that sent it does.
        let graph = EventGraph(candidates)
        var mailIDs: Set<String> = []
        let events = candidates.filter { event in
            guard event.kind == .mailReceived || event.kind == .mailUsed else { return true }
            let isCausedByInstance = graph.cause(of: event).map(isOfInstance) ?? false
            if isCausedByInstance, event.kind == .mailReceived, let id = event.subject {
                mailIDs.insert(id)
            }
            return isCausedByInstance || event.subject.map(mailIDs.contains) ?? false
        }
        return TimelineGroup.groups(of: events, base: base)
    }
}

/// The texts of an entry: title, timing, cause and effects.
extension TimelineGroup {
    /// `POST /auth/refresh 200`.
    func title(of entry: TimelineEntry) -> String {
        let event = entry.event
        guard event.kind == .exchangeEnded else {
            return entry.count > 1 ? countText(entry) : event.title
        }
        return [requestText(event), entry.label].joined(separator: " ")
    }

    /// `Silent refresh, 14:34:50.122`.
    func timing(of entry: TimelineEntry) -> String {
        let event = entry.event
        let cause = event.details["cause"].flatMap(ExchangeContext.Cause.init).map {
            ExchangeRowModel.causeChip($0).text
        }
        return (cause.map { $0 + ", " } ?? "") + Format.dateTimeMilliseconds(event.at)
    }

    /// `Triggered by GET /auth/me (failed). Then 2 items stored.` Nil if neither is known.
    func causeAndEffect(of entry: TimelineEntry) -> String? {
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
        return sentences.joined(separator: " ").nonEmpty
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
