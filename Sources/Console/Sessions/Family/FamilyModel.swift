/// The refresh family as a drawing, as a list that says the same, and the
/// buttons that put it to the test.
struct FamilyModel: Encodable, Sendable {
    /// `Refresh family`, or what stands there without one.
    var isAvailable: Bool
    /// The family's id at the server; nil where it does not tell.
    var familyID: String?
    /// The same, shortened.
    var shortFamilyID: String
    var wideDrawing: Drawing?
    var compactDrawing: Drawing?
    /// Every generation and branch in words, for who does not see the
    /// drawing.
    var accessibleSteps: [AccessibleStep]
    /// What was tried, the newest first, with links.
    var anyTests: Bool
    var tests: [TestEntry]
    var buttons: Buttons?
    /// Why nothing can be tried; nil while it can.
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
        /// `used`, `current`, `dead`, `unheard`.
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
        /// The moment of the time in `text`.
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
        /// POST; nil where the device holds no refresh token.
        var concurrentAction: String?
        var dropAction: String?
        /// POST with `token`; nil where no old token is kept.
        var replayAction: String?
        var reusableTokens: [ChoiceModel]
    }
}
