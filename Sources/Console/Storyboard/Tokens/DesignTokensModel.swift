/// An app's design tokens (`storyboard/look`): what they are, how well ink is
/// told from its ground, and fields to change them.
struct DesignTokensModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    /// `75 tokens, 4 pairs below AA`.
    var summaryText: String
    /// POST: saves.
    var saveAction: String
    /// POST: comes back with the changes in the address.
    var previewURL: String
    /// As the sheet has it.
    var discardURL: String
    var cssURL: String
    var jsonURL: String
    /// Of the app's files when the page was made.
    var digest: String
    /// What a save writes into; nil where the app has no sheet of its own.
    var saveTarget: String?
    /// What was just saved, or why it was not; `tone` as a chip's.
    var note: Note?
    var groups: [Group]
    var pairs: Pairs
    /// The heads of the columns: the looks the app has.
    var anyLight: Bool
    var anyDark: Bool
    var frames: [Frame]
    var anyUnreadable: Bool
    var unreadable: [UnreadableSheet]

    struct Note: Encodable, Sendable {
        var noteText: String
        var noteTone: String
    }

    /// Tokens of one kind.
    struct Group: Encodable, Sendable {
        /// `colour`.
        var groupID: String
        var groupName: String
        var groupCount: String
        var tokens: [Token]
    }

    struct Token: Encodable, Sendable {
        /// `--page`, and `page` for ids.
        var name: String
        var tokenID: String
        /// As a field holds it, and as the sheet says it.
        var value: String
        var savedValue: String
        /// What the dark has instead in a rule of its own.
        var savedDarkValue: String?
        /// `Public/apps/atlas/app.css:12`.
        var location: String
        /// `app.css:12`.
        var shortLocation: String
        /// Said elsewhere: saving says it anew in the app's own sheet.
        var isInherited: Bool
        /// Nil where it cannot be changed here.
        var field: Field?
        var isEdited: Bool
        var swatches: [Swatch]
        var lengthBar: LengthBar?
        var fontSample: FontSample?
        var gradients: [GradientSwatch]
        var variants: [Variant]
        /// `used 4 times`, and where.
        var usesText: String
        var uses: [Use]
    }

    struct Field: Encodable, Sendable {
        var fieldName: String
        var fieldValue: String
        var fieldError: String?
    }

    struct Swatch: Encodable, Sendable {
        /// `light` or `dark`.
        var appearance: String
        /// For an attribute, and for a person: `#f2f2f7`.
        var fill: String
        /// `#rrggbb`, for a field of type colour.
        var hex: String
        /// Whether both looks have the same.
        var isShared: Bool
    }

    /// A length at its size.
    struct LengthBar: Encodable, Sendable {
        /// In px, for an attribute; cut at what the page has room for.
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

    struct Variant: Encodable, Sendable {
        var condition: String
        var variantValue: String
    }

    struct Use: Encodable, Sendable {
        var selector: String
        var property: String
        var useLocation: String
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

    /// Ink on its ground, in the worse look.
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

    /// A style sheet that could not be read.
    struct UnreadableSheet: Encodable, Sendable {
        var unreadableFile: String
        var unreadableReason: String
    }
}
