/// The newest events in four lanes, as bursts with the silence between them.
///
/// The drawing is 126 high; coordinates are px. Lanes: screens at y 39, calls
/// 61, storage 83, mail 105. The newest end stays in sight when it is wider
/// than its strip. A mark is 10 across; its label begins 10 to the right.
struct TimelineModel: Encodable, Sendable {
    var anyEvents: Bool
    /// Of the drawing; at least the end of the newest burst.
    var width: Int
    /// The plate below the newest burst; nil without events.
    var newestHighlight: Highlight?
    var gaps: [Gap]
    /// Oldest first.
    var groups: [Group]

    struct Highlight: Encodable, Sendable {
        /// 8 before the newest burst's title.
        var x: Int
        var width: Int
        /// `w - 1`: the plate has a line around it.
        var rectWidth: Int
    }

    struct Gap: Encodable, Sendable {
        /// The dotted line, and the middle of the words above it.
        var x: Int
        /// `39 s`.
        var text: String
    }

    struct Group: Encodable, Sendable {
        var isNewest: Bool
        /// Where the title begins; the first mark's middle is 6 further.
        var x: Int
        /// `Relaunch`.
        var title: String
        /// `14:34:50`, and its whole moment.
        var time: String
        var at: String
        /// What led to what.
        var causeLines: [CauseLine]
        var marks: [Mark]
    }

    struct CauseLine: Encodable, Sendable {
        /// SVG path data, from 9 beside one mark to 11 before the next,
        /// corners of 6: `M693 48V55a6 6 0 0 0 6 6H745`.
        var d: String
    }

    struct Mark: Encodable, Sendable {
        /// The event's id.
        var id: String
        var shape: Shape
        /// Its middle.
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
        /// Where it is seen in full: an exchange, a mail, a session.
        var href: String
        /// Asks whether to put the device back to it.
        var restoreURL: String
        /// Everything the pop-over says, in one sentence.
        var accessibilityLabel: String
        /// Pop-over, first line: `POST /auth/refresh 200`.
        var title: String
        /// First line, at its end: `6.4 ms`, or empty.
        var duration: String
        /// Second line: `silent refresh, 4 ms after the refusal`.
        var timing: String
        /// Below: because of what, and what then; may be empty.
        var causeAndEffect: String
    }

    /// A symbol `mark-<shape>` of `icons.svg`.
    enum Shape: String, Encodable, Sendable {
        case screen, current, call, refused, storage, mail
        case fault = "condition"
    }
}
