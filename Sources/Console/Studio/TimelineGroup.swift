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
    ///
    /// If older events are missing, the first group may have lost its beginning and is left out,
    /// and every launch is a relaunch.
    static func groups(of events: [Event], base: String, isComplete: Bool = true)
        -> [TimelineGroup]
    {
        let firstLaunch = isComplete ? events.first { $0.kind == .appLaunched }?.id : 0
        let currentScreen = events.last { $0.kind == .screenShown }?.id
        return EventGroup.groups(of: events).dropFirst(isComplete ? 0 : 1).compactMap { group in
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
    /// The newest events of an app on a device, at most `limit`, and the mail that its calls sent
    /// or used since.
    func timeline(of instance: AppInstance, base: String, limit: Int) -> [TimelineGroup] {
        let (events, isComplete) = timelineEvents(of: instance, limit: limit)
        return TimelineGroup.groups(of: events, base: base, isComplete: isComplete)
    }

    /// The same without groups, oldest first; `isComplete` unless there are more.
    func timelineEvents(of instance: AppInstance, limit: Int) -> ([Event], isComplete: Bool) {
        func isOfInstance(_ event: Event) -> Bool {
            event.app == instance.app && event.device == instance.device
        }
        let events = hub.newestEvents(in: instance.workspace, limit: limit) { event in
            switch event.kind {
            case .mailReceived, .mailUsed: false
            case .faultChanged:
                event.app.map { $0 == instance.app } ?? true
                    && event.device.map { $0 == instance.device } ?? true
            default: isOfInstance(event)
            }
        }
        guard let first = events.first else { return ([], true) }
        let mail = mailEvents(of: instance, after: first.id)
        return (
            mail.isEmpty ? events : (events + mail).sorted { $0.id < $1.id },
            isComplete: events.count < limit
        )
    }

    /// The events of mail that calls of an app on a device sent or used, after the event `id`.
    ///
    /// A mail event names no device, but its call does.
    private func mailEvents(of instance: AppInstance, after id: Int64) -> [Event] {
        let workspace = instance.workspace
        let mail = hub.newestEvents(in: workspace, limit: .max) {
            ($0.kind == .mailReceived || $0.kind == .mailUsed) && $0.id > id
        }
        guard !mail.isEmpty else { return [] }
        let calls = hub.newestEvents(in: workspace, limit: .max) {
            $0.kind == .exchangeEnded && $0.app == instance.app && $0.device == instance.device
        }
        let requests = Set(calls.compactMap { $0.details["request"] })
        let received = hub.newestEvents(in: workspace, limit: .max) {
            $0.kind == .mailReceived && $0.details["request"].map(requests.contains) ?? false
        }
        let mailIDs = Set(received.compactMap(\.subject))
        return mail.filter { event in
            event.details["request"].map(requests.contains) ?? false
                || event.subject.map(mailIDs.contains) ?? false
        }
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
