import Core
import Inspection
import Simulator

/// The events of one app on one device, in groups that have a cause in common.
struct Timeline {
    /// Oldest first, without those that have no entries.
    let groups: [Group]

    struct Group {
        let title: String
        /// Oldest first; never empty.
        let events: [Event]
        /// Never empty.
        let entries: [TimelineEntry]
    }

    /// `events` are oldest first.
    init(_ events: [Event]) {
        let firstLaunch = events.first { $0.kind == .appLaunched }?.id
        let currentScreen = events.last { $0.kind == .screenShown }?.id
        groups = EventGroup.groups(of: events).compactMap { group in
            var entries = TimelineEntry.entries(of: group)
            guard let first = group.events.first, !entries.isEmpty else { return nil }
            for index in entries.indices where entries[index].event.id == currentScreen {
                entries[index].shape = .current
            }
            return Group(
                title: group.title(isRelaunch: firstLaunch.map { $0 < first.id } ?? false),
                events: group.events, entries: entries)
        }
    }
}

extension Services {
    /// The newest events of an app on a device, including mail that its calls sent or used.
    func timeline(of instance: AppInstance) -> Timeline {
        let all = hub.events(in: instance.workspace)
        // A mail event names no device, but the call that sent it does.
        let graph = EventGraph(all)
        func isOfInstance(_ event: Event) -> Bool {
            event.app == instance.app && event.device == instance.device
        }
        func isCausedByInstance(_ event: Event) -> Bool {
            graph.cause(of: event).map(isOfInstance) ?? false
        }
        let mailIDs = Set(
            all.filter { $0.kind == .mailReceived && isCausedByInstance($0) }.compactMap(\.subject))
        let events = all.filter { event in
            switch event.kind {
            case .mailReceived, .mailUsed:
                isCausedByInstance(event) || event.subject.map(mailIDs.contains) ?? false
            case .faultChanged:
                event.app.map { $0 == instance.app } ?? true
                    && event.device.map { $0 == instance.device } ?? true
            default: isOfInstance(event)
            }
        }
        return Timeline(Array(events.suffix(400)))
    }
}
