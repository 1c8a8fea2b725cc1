import DesignTokens

/// An app's design tokens (`storyboard/designtokens`): their values, the contrast of its color
/// pairs, and fields to edit them.
struct DesignTokensModel: Encodable, Sendable {
    /// `75 tokens, 4 pairs below AA`.
    var summaryText: String
    /// `page`, without edits; `preview` redirects there with the edits in the URL; `css`, `json`.
    var links: [String: String]
    /// The digest of the app's files when the page was rendered.
    var digest: String
    /// The files a save writes to; nil if the app has no style sheet.
    var saveTarget: String?
    /// What was just saved, or why it was not.
    var note: ChipModel?
    var groups: [Group]
    var pairsText: String
    var pairs: [Pair]
    /// `Light`, `Dark`: those of the app, each a column.
    var appearances: [String]
    var frames: [PreviewFrameModel]
    var anyUnreadable: Bool
    var unreadable: [AppStyleSheets.UnreadableSheet]

    /// The tokens of one kind.
    struct Group: Encodable, Sendable {
        /// `color`.
        var groupID: String
        var groupName: String
        var groupCount: String
        var tokens: [Token]
    }

    struct Token: Encodable, Sendable {
        var token: DesignToken
        /// `page` for `--page`.
        var tokenID: String
        /// The current value, and the value in the sheet.
        var value: String
        var savedValue: String
        /// `app.css`.
        var fileName: String
        var isEditable: Bool
        /// The value in the field, and why it is invalid.
        var fieldValue: String
        var fieldError: String?
        var isEdited: Bool
        /// Whether both appearances have the same value.
        var isShared: Bool
        var swatches: [Swatch] = []
        /// A length in px, limited to the space on the page.
        var barWidth: Double?
        var fontFamily: String?
        var gradients: [Gradient] = []
        /// `4 uses`.
        var usesText: String
    }

    struct Swatch: Encodable, Sendable {
        /// `light` or `dark`.
        var appearance: String
        /// For an attribute and for display: `#f2f2f7`.
        var fill: String
        /// `#rrggbb`, for an input of type color.
        var hex: String
    }

    struct Gradient: Encodable, Sendable {
        var gradientID: String
        var isRadial: Bool
        var gradientStops: [Stop]

        struct Stop: Encodable, Sendable {
            var offset: Double
            var color: String
        }
    }

    struct Pair: Encodable, Sendable {
        var foreground: String
        var background: String
        /// Without `var()`.
        var foregroundName: String
        var backgroundName: String
        var ratios: [Ratio]
        /// A sample in the appearance with the lower contrast.
        var sampleForeground: String
        var sampleBackground: String
        /// The first of the rules, and all of them.
        var firstSource: String
        var allSources: String
    }

    /// The contrast of a pair in one appearance; nil if it has no colors there.
    struct Ratio: Encodable, Sendable {
        var appearance: String
        var ratio: String?
        var grade: String?
        var tone: String?
    }
}
