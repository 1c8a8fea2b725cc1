import FoundationEssentials
import Surroundings
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
    var empty: EmptyModel?
    /// Newest first.
    var bursts: [Burst]

    struct Burst: Encodable, Sendable {
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
        var what: String
        /// `silent refresh, 14:34:50.122, 6.4 ms`.
        var when: String
        /// Because of what, and what then; nil where nothing is known.
        var then: String?
    }
}

extension TimelineListModel {
    /// `events` are the timeline's, oldest first; calls are told below `base`.
    init(
        frame: FrameModel, csrf: String, partURL: String, appID: String, appName: String,
        deviceID: String, studioURL: String, events: [Event], base: String
    ) {
        let starts = events.filter { $0.kind == .launched }.map(\.id)
        let shown = events.last { $0.kind == .screen }?.id
        let bursts = Burst.all(events, base: base, firstStart: starts.first, shown: shown)
        self.init(
            frame: frame, csrf: csrf, partURL: partURL, appID: appID, appName: appName,
            deviceID: deviceID, studioURL: studioURL,
            empty: bursts.isEmpty
                ? .nothingYet(
                    "Nothing has happened yet",
                    "Every screen, call, write and mail of this app on this "
                        + "device appears here. Start the app on the phone.", drawing: .traffic,
                    call: "GET /api/events?after=0", studioOf: appID) : nil, bursts: bursts)
    }
}

extension TimelineListModel.Burst {
    fileprivate static func all(_ events: [Event], base: String, firstStart: Int64?, shown: Int64?)
        -> [Self]
    {
        Burst.cut(events).reversed().compactMap { burst in
            let drafts = TimelineDraft.drafts(burst)
            guard let first = burst.events.first, !drafts.isEmpty else { return nil }
            let words = TimelineWords(drafts: drafts, base: base)
            return Self(
                id: String(first.id),
                title: burst.title(isLater: firstStart.map { $0 < first.id } ?? false),
                time: Words.clock(first.at), at: first.at.iso8601,
                rows: drafts.map {
                    TimelineListModel.Row($0, words, isCurrent: $0.event.id == shown)
                })
        }
    }
}

extension TimelineListModel.Row {
    fileprivate init(_ draft: TimelineDraft, _ words: TimelineWords, isCurrent: Bool) {
        let end = draft.event.facts["total"].flatMap { Double($0) }.map(Words.milliseconds)
        let then = words.then(draft)
        self.init(
            id: String(draft.event.id), shape: isCurrent ? .current : draft.shape,
            href: Links.event(draft.event.id), what: words.what(draft),
            when: [words.when(draft), end].compactMap(\.self).joined(separator: ", "),
            then: then.isEmpty ? nil : then)
    }
}
