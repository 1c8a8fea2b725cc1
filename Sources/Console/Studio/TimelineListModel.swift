import Core
import FoundationEssentials
import Web

/// `/studio/{app}/timeline`: what the strip draws, as a list that can be read
/// at any width.
struct TimelineListModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    var appID: String
    var appName: String
    var deviceID: String
    var studioURL: String
    /// Nil as soon as anything happened.
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
        /// In the order in which they led to each other.
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
        /// `silent refresh, 14:34:50.122, 6.4 ms`.
        var timing: String
        /// Because of what, and what then; nil where nothing is known.
        var causeAndEffect: String?
    }
}

extension TimelineListModel {
    /// `events` are the timeline's, oldest first; calls are told below `base`.
    init(
        frame: FrameModel, csrfToken: String, partURL: String, appID: String, appName: String,
        deviceID: String, studioURL: String, events: [Event], base: String
    ) {
        let starts = events.filter { $0.kind == .appLaunched }.map(\.id)
        let shown = events.last { $0.kind == .screenShown }?.id
        let bursts = Group.makeGroups(events, base: base, firstStart: starts.first, shown: shown)
        self.init(
            frame: frame, csrf: csrfToken, partURL: partURL, appID: appID, appName: appName,
            deviceID: deviceID, studioURL: studioURL,
            empty: bursts.isEmpty
                ? .noItems(
                    "Nothing has happened yet",
                    "Every screen, call, write and mail of this app on this "
                        + "device appears here. Start the app on the phone.", drawing: .traffic,
                    call: "GET /api/events?after=0", studioOf: appID) : nil, groups: bursts)
    }
}

extension TimelineListModel.Group {
    fileprivate static func makeGroups(
        _ events: [Event], base: String, firstStart: Int64?, shown: Int64?
    )
        -> [Self]
    {
        EventGroup.groups(of: events).reversed().compactMap { burst in
            let drafts = TimelineEntry.entries(of: burst)
            guard let first = burst.events.first, !drafts.isEmpty else { return nil }
            let words = TimelineText(entries: drafts, base: base)
            return Self(
                id: String(first.id),
                title: burst.title(isRelaunch: firstStart.map { $0 < first.id } ?? false),
                time: Format.timeOfDay(first.at), at: first.at.iso8601,
                rows: drafts.map {
                    TimelineListModel.Row($0, words, isCurrent: $0.event.id == shown)
                })
        }
    }
}

extension TimelineListModel.Row {
    fileprivate init(_ draft: TimelineEntry, _ words: TimelineText, isCurrent: Bool) {
        let end = draft.event.details["total"].flatMap { Double($0) }.map(Format.milliseconds)
        let then = words.causeAndEffect(draft)
        self.init(
            id: String(draft.event.id), shape: isCurrent ? .current : draft.shape,
            href: Links.event(draft.event.id), title: words.title(draft),
            timing: [words.timing(draft), end].compactMap(\.self).joined(separator: ", "),
            causeAndEffect: then.isEmpty ? nil : then)
    }
}
