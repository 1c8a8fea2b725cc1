/// An app's design tokens (`storyboard/look`): what they are, how well ink is
/// told from its ground, and fields to change them.
struct LookModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var ways: [WayModel]
    var appSwitch: AppSwitchModel
    /// `75 tokens, 4 pairs below AA`.
    var factText: String
    /// POST: saves.
    var action: String
    /// POST: comes back with the changes in the address.
    var previewURL: String
    /// As the sheet has it.
    var discardURL: String
    var cssURL: String
    var jsonURL: String
    /// Of the app's files when the page was made.
    var digest: String
    /// What a save writes into; nil where the app has no sheet of its own.
    var savedTo: String?
    /// What was just saved, or why it was not; `tone` as a chip's.
    var note: Note?
    var groups: [Group]
    var pairs: Pairs
    /// The heads of the columns: the looks the app has.
    var anyLight: Bool
    var anyDark: Bool
    var frames: [Frame]
    var anyUnread: Bool
    var unread: [Unread]

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
        var saved: String
        /// What the dark has instead in a rule of its own.
        var darkSaved: String?
        /// `Public/apps/atlas/app.css:12`.
        var place: String
        /// `app.css:12`.
        var placeName: String
        /// Said elsewhere: saving says it anew in the app's own sheet.
        var isBorrowed: Bool
        /// Nil where it cannot be changed here.
        var field: Field?
        var edited: Bool
        var swatches: [Swatch]
        var bar: Bar?
        var face: Face?
        var gradients: [GradientSwatch]
        var variants: [Variant]
        /// `used 4 times`, and where.
        var usedText: String
        var uses: [Use]
    }

    struct Field: Encodable, Sendable {
        var fieldName: String
        var fieldValue: String
        var fieldError: String?
    }

    struct Swatch: Encodable, Sendable {
        /// `light` or `dark`.
        var look: String
        /// For an attribute, and for a person: `#f2f2f7`.
        var fill: String
        /// `#rrggbb`, for a field of type colour.
        var hex: String
        /// Whether both looks have the same.
        var single: Bool
    }

    /// A length at its size.
    struct Bar: Encodable, Sendable {
        /// In px, for an attribute; cut at what the page has room for.
        var width: String
        var barText: String
    }

    struct Face: Encodable, Sendable { var family: String }

    struct GradientSwatch: Encodable, Sendable {
        var gradientID: String
        var radial: Bool
        var gradientStops: [Stop]
    }

    struct Stop: Encodable, Sendable {
        var offset: String
        var colour: String
    }

    struct Variant: Encodable, Sendable {
        var condition: String
        var variantValue: String
    }

    struct Use: Encodable, Sendable {
        var selector: String
        var property: String
        var usePlace: String
    }

    struct Pairs: Encodable, Sendable {
        var pairsText: String
        var rows: [Pair]
    }

    struct Pair: Encodable, Sendable {
        var ink: String
        var ground: String
        /// Without `var()`.
        var inkName: String
        var groundName: String
        var light: Ratio?
        var dark: Ratio?
        var sample: Sample
        /// The first of the rules, and all of them.
        var pairPlace: String
        var pairPlaces: String
    }

    struct Ratio: Encodable, Sendable {
        var ratio: String
        var grade: String
        var tone: String
    }

    /// Ink on its ground, in the worse look.
    struct Sample: Encodable, Sendable {
        var sampleInk: String
        var sampleGround: String
    }

    struct Frame: Encodable, Sendable {
        var frameTitle: String
        var frameName: String
        var src: String
        var href: String
    }

    /// A style sheet that could not be read.
    struct Unread: Encodable, Sendable {
        var unreadFile: String
        var unreadWhy: String
    }
}
