/// The refresh family as a drawing and as an equivalent list, with the buttons of the refresh
/// tests.
struct FamilyModel: Encodable, Sendable {
    /// Whether the session has a refresh family; without one the page shows a placeholder.
    var isAvailable: Bool
    /// The family's id at the server; nil if unknown.
    var familyID: String?
    /// `familyID`, shortened.
    var shortFamilyID: String
    var wideDrawing: Drawing?
    var compactDrawing: Drawing?
    /// Every generation and branch as text, for screen readers.
    var accessibleSteps: [AccessibleStep]
    /// The refresh tests, the newest first, with links.
    var anyTests: Bool
    var tests: [TestEntry]
    var buttons: Buttons?
    /// Why no test is possible; nil if one is.
    var unavailableReason: String?

    struct Drawing: Encodable, Sendable {
        var width: Int
        var height: Int
        var lines: [Line]
        var boxes: [Box]
        var circles: [Circle]
        var labels: [Label]
    }

    struct Line: Encodable, Sendable {
        /// SVG path data.
        var d: String
        /// `turn` (a rotation), `reuse` (dashed), `end`, `earlier` (dotted).
        var kind: String
        var hasArrowhead: Bool
    }

    struct Box: Encodable, Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// `bad` or `warn`.
        var tone: String
    }

    struct Circle: Encodable, Sendable {
        var cx: Int
        var cy: Int
        var textY: Int
        var number: String
        /// `used`, `current`, `ended`, `unheld`.
        var kind: String
    }

    struct Label: Encodable, Sendable {
        var x: Int
        var y: Int
        var text: String
        /// `title`, `dim`, `token`, `bad`, `warn`.
        var kind: String
        /// `start` or `middle`.
        var anchor: String
        /// The time in `text` as a machine-readable timestamp.
        var timestamp: String?
    }

    struct AccessibleStep: Encodable, Sendable { var sentence: String }

    struct TestEntry: Encodable, Sendable {
        var id: String
        var at: String
        var time: String
        var text: String
        var tone: String
        var exchangeURL: String?
    }

    struct Buttons: Encodable, Sendable {
        /// POST; nil if the device holds no refresh token.
        var concurrentAction: String?
        var dropAction: String?
        /// POST with `token`; nil if no old token is stored.
        var replayAction: String?
        var reusableTokens: [ChoiceModel]
    }
}
