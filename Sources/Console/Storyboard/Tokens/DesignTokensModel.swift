import DesignTokens

/// An app's design tokens (`storyboard/designtokens`): their values, the contrast of its color
/// pairs, and fields to edit them.
struct DesignTokensModel: Encodable, Sendable {
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    /// `75 tokens, 4 pairs below AA`.
    var summaryText: String
    /// POST: saves.
    var saveAction: String
    /// POST: redirects here with the edits in the URL.
    var previewURL: String
    /// This page without edits.
    var discardURL: String
    var cssURL: String
    var jsonURL: String
    /// The digest of the app's files when the page was rendered.
    var digest: String
    /// The files a save writes to; nil if the app has no style sheet.
    var saveTarget: String?
    /// What was just saved, or why it was not; `noteTone` is a chip's tone.
    var note: Note?
    var groups: [Group]
    var pairs: Pairs
    /// The appearances of the app, each a column.
    var anyLight: Bool
    var anyDark: Bool
    var frames: [Frame]
    var anyUnreadable: Bool
    var unreadable: [AppStyleSheets.UnreadableSheet]

    struct Note: Encodable, Sendable {
        var noteText: String
        var noteTone: String
    }

    /// The tokens of one kind.
    struct Group: Encodable, Sendable {
        /// `color`.
        var groupID: String
        var groupName: String
        var groupCount: String
        var tokens: [Token]
    }

    struct Token: Encodable, Sendable {
        /// `--page`, and `page` for ids.
        var name: String
        var tokenID: String
        /// The current value, and the value in the sheet.
        var value: String
        var savedValue: String
        /// The dark value, if a separate rule declares it.
        var savedDarkValue: String?
        /// `Public/apps/atlas/app.css:12`.
        var location: String
        /// `app.css:12`.
        var shortLocation: String
        /// Declared in a shared file; saving overrides it in the app's own sheet.
        var isInherited: Bool
        /// Nil if the token is not editable.
        var field: Field?
        var isEdited: Bool
        var swatches: [Swatch]
        var lengthBar: LengthBar?
        var fontSample: FontSample?
        var gradients: [GradientSwatch]
        var variants: [DesignToken.Variant]
        /// `4 uses`, and the declarations.
        var usesText: String
        var uses: [DesignToken.Use]
    }

    struct Field: Encodable, Sendable {
        var fieldName: String
        var fieldValue: String
        var fieldError: String?
    }

    struct Swatch: Encodable, Sendable {
        /// `light` or `dark`.
        var appearance: String
        /// For an attribute and for display: `#f2f2f7`.
        var fill: String
        /// `#rrggbb`, for an input of type color.
        var hex: String
        /// Whether both appearances have this color.
        var isShared: Bool
    }

    /// A length drawn at its size.
    struct LengthBar: Encodable, Sendable {
        /// In px, for an attribute; limited to the space on the page.
        var width: String
        var barText: String
    }

    struct FontSample: Encodable, Sendable { var family: String }

    struct GradientSwatch: Encodable, Sendable {
        var gradientID: String
        var isRadial: Bool
        var gradientStops: [Stop]
    }

    struct Stop: Encodable, Sendable {
        var offset: String
        var color: String
    }

    struct Pairs: Encodable, Sendable {
        var pairsText: String
        var rows: [Pair]
    }

    struct Pair: Encodable, Sendable {
        var foreground: String
        var background: String
        /// Without `var()`.
        var foregroundName: String
        var backgroundName: String
        var lightRatio: Ratio?
        var darkRatio: Ratio?
        var sample: Sample
        /// The first of the rules, and all of them.
        var firstSource: String
        var allSources: String
    }

    struct Ratio: Encodable, Sendable {
        var ratio: String
        var grade: String
        var tone: String
    }

    /// A sample in the appearance with the lower contrast.
    struct Sample: Encodable, Sendable {
        var sampleForeground: String
        var sampleBackground: String
    }

    struct Frame: Encodable, Sendable {
        var frameTitle: String
        var frameName: String
        var src: String
        var href: String
    }
}
