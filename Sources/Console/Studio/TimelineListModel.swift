import Apps
import Core
import FoundationEssentials
import Inspection
import Simulator
import Web

/// `/studio/{app}/timeline`: the timeline as a list that is readable at any width.
struct TimelineListModel: Encodable, Sendable {
    var appID: String
    var appName: String
    var deviceID: String
    var studioURL: String
    /// Nil if there are events.
    var empty: EmptyStateModel?
    /// Newest first.
    var groups: [Group]

    struct Group: Encodable, Sendable {
        /// The id of its first event.
        var id: String
        /// `Relaunch`.
        var title: String
        /// `14:34:50`, and ISO 8601.
        var time: String
        var at: String
        /// In causal order.
        var rows: [Row]
    }

    struct Row: Encodable, Sendable {
        /// The event's id.
        var id: String
        /// A symbol `mark-<shape>` of `icons.svg`.
        var shape: TimelineModel.Shape
        /// The event's own page.
        var href: String
        /// `POST /auth/refresh 200`.
        var title: String
        /// `Silent refresh, 14:34:50.122, 6.4 ms`.
        var timing: String
        /// The cause and the effects; nil if neither is known.
        var causeAndEffect: String?
    }
}

extension TimelineListModel {
    init(_ timeline: Timeline, of instance: AppInstance, _ status: AppStatus) {
        appID = instance.app
        appName = status.app.name
        deviceID = instance.device
        studioURL = Links.studio(instance.app)
        groups = timeline.groups.reversed().map { Group($0, base: status.baseURL) }
        empty =
            groups.isEmpty
            ? .noItems(
                "No events yet",
                "Screens, requests, storage changes and messages of this "
                    + "app on this device appear here. Start the app on the device.",
                drawing: .traffic, call: "GET /api/events?after=0", studioOf: appID) : nil
    }
}

extension TimelineListModel.Group {
    fileprivate init(_ group: Timeline.Group, base: String) {
        let first = group.events[0]
        let text = TimelineText(entries: group.entries, base: base)
        id = String(first.id)
        title = group.title
        time = Format.timeOfDay(first.at)
        at = first.at.iso8601
        rows = group.entries.map { TimelineListModel.Row($0, text) }
    }
}

extension TimelineListModel.Row {
    fileprivate init(_ entry: TimelineEntry, _ text: TimelineText) {
        let duration = entry.event.details["total"].flatMap { Double($0) }.map(Format.milliseconds)
        id = String(entry.event.id)
        shape = entry.shape
        href = Links.event(entry.event.id)
        title = text.title(entry)
        timing = [text.timing(entry), duration].compactMap(\.self).joined(separator: ", ")
        causeAndEffect = text.causeAndEffect(entry).nonEmpty
    }
}
