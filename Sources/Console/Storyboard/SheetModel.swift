/// Every screen of an app in every state (`storyboard/sheet`).
///
/// Parts: `panel` (`storyboard/panel`), `status` (`storyboard/status`).
struct SheetModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    var appName: String
    var appSwitch: AppSwitchModel
    var status: Status
    /// POST.
    var runAction: String
    /// This page, to come back to.
    var sheetURL: String
    /// All of it in one document, as it is drawn here.
    var exportURL: String
    /// The same as a file.
    var downloadURL: String
    var sizes: [Choice]
    /// Nil where no app shown has two looks.
    var looks: Looks?
    /// The other pages of the storyboard.
    var ways: [WayModel]
    /// Screen, kind, beside.
    var menus: [Menu]
    /// What it is narrowed to.
    var narrowed: [Narrowed]
    /// Nil unless it is narrowed.
    var clearURL: String?
    var zoom: Zoom
    /// Its class: `phone-iphone15`.
    var sizeClass: String
    var sheets: [Sheet]
    /// Nil while there is something to show.
    var empty: EmptyModel?
    /// The selected state.
    var panel: PanelModel?

    struct Status: Encodable, Sendable {
        /// `6 screens, 52 states`.
        var countText: String
        /// ISO 8601; nil before the first tile was played.
        var ranAt: String?
        /// `12 s ago`.
        var ranText: String?
        /// States that show no screen, by why.
        var lost: [Missing]
    }

    struct Missing: Encodable, Sendable {
        /// `broken`, `unreachable`.
        var lostKind: String
        /// `1 not reachable`.
        var text: String
        var tone: ChipModel.Tone
        /// The first of them, selected.
        var lostURL: String
    }

    struct Choice: Encodable, Sendable {
        var id: String
        var name: String
        var href: String
        var current: Bool
    }

    struct Looks: Encodable, Sendable { var appearances: [Choice] }

    struct Menu: Encodable, Sendable {
        var menuID: String
        var menuName: String
        var chosenName: String
        var options: [Option]
    }

    struct Option: Encodable, Sendable {
        var id: String
        var name: String
        /// Empty where there is nothing to count.
        var count: String
        var href: String
        var current: Bool
    }

    struct Narrowed: Encodable, Sendable {
        var text: String
        var withoutURL: String
    }

    struct Zoom: Encodable, Sendable {
        /// `z24`: the step it is drawn at until a script draws `percent`.
        var name: String
        var percent: Int
        /// `24%`.
        var text: String
        /// The next step; this page where there is none.
        var outURL: String
        var inURL: String
        /// Whether words have room on the sheet.
        var isFar: Bool
    }

    /// One app's.
    struct Sheet: Encodable, Sendable {
        var sheetID: String
        var sheetName: String
        var sheetGlyph: GlyphModel
        /// Whether its name stands above it: with another one beside it.
        var isNamed: Bool
        var drawing: SheetDrawing
        var columns: [Column]
        /// `login leads to map: Login`.
        var spokenWays: [String]
    }

    struct Column: Encodable, Sendable {
        var columnName: String
        var columnCount: String
        var tiles: [Tile]
    }

    struct Tile: Encodable, Sendable {
        /// `login.default`; after the app's id for a second app.
        var tileID: String
        var tileURL: String
        var tileTitle: String
        /// `failure.login.2`; nil where the title says the same.
        var stateName: String?
        /// `login, failure: 401`.
        var spoken: String
        var isSelected: Bool
        var frameURL: String
        /// Of the status bar: `on-dark`.
        var ink: String
        /// Why it shows no screen; nil for one that does, or is not known.
        var lost: Showing.Lost?
    }
}
