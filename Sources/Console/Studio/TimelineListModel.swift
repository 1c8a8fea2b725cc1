import Core
import FoundationEssentials
import Inspection
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
    /// `events` are oldest first; paths of calls are shown relative to `base`.
    init(
        appID: String, appName: String, deviceID: String, studioURL: String, events: [Event],
        base: String
    ) {
        let starts = events.filter { $0.kind == .appLaunched }.map(\.id)
        let currentScreenEventID = events.last { $0.kind == .screenShown }?.id
        let groups = Group.makeGroups(
            events, base: base, firstStart: starts.first, shown: currentScreenEventID)
        self.init(
            appID: appID, appName: appName,
            deviceID: deviceID, studioURL: studioURL,
            empty: groups.isEmpty
                ? .noItems(
                    "No events yet",
                    "Screens, requests, storage changes and messages of this "
                        + "app on this device appear here. Start the app on the device.",
                    drawing: .traffic,
                    call: "GET /api/events?after=0", studioOf: appID) : nil, groups: groups)
    }
}

extension TimelineListModel.Group {
    fileprivate static func makeGroups(
        _ events: [Event], base: String, firstStart: Int64?, shown currentScreenEventID: Int64?
    )
        -> [Self]
    {
        EventGroup.groups(of: events).reversed().compactMap { group in
            let entries = TimelineEntry.entries(of: group)
            guard let first = group.events.first, !entries.isEmpty else { return nil }
            let text = TimelineText(entries: entries, base: base)
            return Self(
                id: String(first.id),
                title: group.title(isRelaunch: firstStart.map { $0 < first.id } ?? false),
                time: Format.timeOfDay(first.at), at: first.at.iso8601,
                rows: entries.map {
                    TimelineListModel.Row($0, text, isCurrent: $0.event.id == currentScreenEventID)
                })
        }
    }
}

extension TimelineListModel.Row {
    fileprivate init(_ entry: TimelineEntry, _ text: TimelineText, isCurrent: Bool) {
        let duration = entry.event.details["total"].flatMap { Double($0) }.map(Format.milliseconds)
        let causeAndEffect = text.causeAndEffect(entry)
        self.init(
            id: String(entry.event.id), shape: isCurrent ? .current : entry.shape,
            href: Links.event(entry.event.id), title: text.title(entry),
            timing: [text.timing(entry), duration].compactMap(\.self).joined(separator: ", "),
            causeAndEffect: causeAndEffect.isEmpty ? nil : causeAndEffect)
    }
}
