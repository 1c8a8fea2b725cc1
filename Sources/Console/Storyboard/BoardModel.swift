/// Every screen of an app in every state (`storyboard/sheet`).
///
/// Parts: `panel` (`storyboard/panel`), `status` (`storyboard/status`).
struct BoardModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    var appName: String
    var appSwitch: AppSwitchModel
    var status: Status
    /// POST.
    var rerenderAction: String
    /// This page, to come back to.
    var boardURL: String
    /// All of it in one document, as it is drawn here.
    var exportURL: String
    /// The same as a file.
    var downloadURL: String
    var sizes: [Choice]
    /// Nil where no app shown has two looks.
    var appearanceChoices: AppearanceChoices?
    /// The other pages of the storyboard.
    var tabs: [StoryboardTabModel]
    /// Screen, kind, beside.
    var menus: [Menu]
    /// What it is narrowed to.
    var activeFilters: [ActiveFilter]
    /// Nil unless it is narrowed.
    var clearURL: String?
    var zoom: Zoom
    /// Its class: `phone-iphone15`.
    var sizeClass: String
    var boards: [Board]
    /// Nil while there is something to show.
    var empty: EmptyStateModel?
    /// The selected state.
    var panel: StatePanelModel?

    struct Status: Encodable, Sendable {
        /// `6 screens, 52 states`.
        var countText: String
        /// ISO 8601; nil before the first tile was played.
        var renderedAt: String?
        /// `12 s ago`.
        var renderedText: String?
        /// States that show no screen, by why.
        var failures: [FailureSummary]
    }

    struct FailureSummary: Encodable, Sendable {
        /// `broken`, `unreachable`.
        var failureKind: String
        /// `1 not reachable`.
        var text: String
        var tone: ChipModel.Tone
        /// The first of them, selected.
        var failureURL: String
    }

    struct Choice: Encodable, Sendable {
        var id: String
        var name: String
        var href: String
        var current: Bool
    }

    struct AppearanceChoices: Encodable, Sendable { var appearances: [Choice] }

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

    struct ActiveFilter: Encodable, Sendable {
        var text: String
        var removeURL: String
    }

    struct Zoom: Encodable, Sendable {
        /// `z24`: the step it is drawn at until a script draws `percent`.
        var stepName: String
        var percent: Int
        /// `24%`.
        var text: String
        /// The next step; this page where there is none.
        var zoomOutURL: String
        var zoomInURL: String
        /// Whether words have room on the sheet.
        var isZoomedOut: Bool
    }

    /// One app's.
    struct Board: Encodable, Sendable {
        var boardID: String
        var boardName: String
        var boardGlyph: GlyphModel
        /// Whether its name stands above it: with another one beside it.
        var showsName: Bool
        var drawing: BoardDrawing
        var columns: [Column]
        /// `login leads to map: Login`.
        var edgeDescriptions: [String]
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
        var accessibilityLabel: String
        var isSelected: Bool
        var frameURL: String
        /// Of the status bar: `on-dark`.
        var statusBarStyle: String
        /// Why it shows no screen; nil for one that does, or is not known.
        var failure: RenderStatus.Failure?
    }
}
