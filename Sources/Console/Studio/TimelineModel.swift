/// The newest events in four lanes, as groups with the pauses between them.
///
/// The drawing is 126 px high; coordinates are px. Lanes: screens at y 39, calls 61, storage 83,
/// mail 105. If the drawing is wider than its container, the newest end is visible. A mark is 10 px
/// across; its label starts 10 px to the right of its center.
struct TimelineModel: Encodable, Sendable {
    var anyEvents: Bool
    /// The width of the drawing; at least the end of the newest group.
    var width: Int
    /// The highlight behind the newest group; nil without events.
    var newestHighlight: Highlight?
    var gaps: [Gap]
    /// Oldest first.
    var groups: [Group]

    struct Highlight: Encodable, Sendable {
        /// 8 px before the newest group's title.
        var x: Int
        var width: Int
        /// `width - 1`: the rectangle has an outline.
        var rectWidth: Int
    }

    struct Gap: Encodable, Sendable {
        /// The dotted line, and the center of the text above it.
        var x: Int
        /// `39 s`.
        var text: String
    }

    struct Group: Encodable, Sendable {
        var isNewest: Bool
        /// The start of the title; the center of the first mark is 6 px further.
        var x: Int
        /// `Relaunch`.
        var title: String
        /// `14:34:50`, and ISO 8601.
        var time: String
        var at: String
        /// Lines from causes to effects.
        var causeLines: [CauseLine]
        var marks: [Mark]
    }

    struct CauseLine: Encodable, Sendable {
        /// SVG path data, from 9 px beside one mark to 11 px before the next, with corners of
        /// radius 6: `M693 48V55a6 6 0 0 0 6 6H745`.
        var d: String
    }

    struct Mark: Encodable, Sendable {
        /// The event's id.
        var id: String
        var shape: Shape
        /// The center.
        var x: Int
        var y: Int
        /// `x - 8` and `y - 8`.
        var useX: Int
        var useY: Int
        /// `x + 10` and `y + 4`.
        var labelX: Int
        var labelY: Int
        /// `splash`, `401`, `2`, `mail`.
        var label: String
        /// The page with the details: an exchange, a mail, a session.
        var href: String
        /// The confirmation for restoring the device to this event.
        var restoreURL: String
        /// The content of the popover in one sentence.
        var accessibilityLabel: String
        /// First line of the popover: `POST /auth/refresh 200`.
        var title: String
        /// End of the first line: `6.4 ms`, or empty.
        var duration: String
        /// Second line: `Silent refresh, 14:34:50.122`.
        var timing: String
        /// Last line: the cause and the effects; may be empty.
        var causeAndEffect: String
    }

    /// A symbol `mark-<shape>` of `icons.svg`.
    enum Shape: String, Encodable, Sendable {
        case screen, current, call, failed, storage, mail
        case fault
    }
}
