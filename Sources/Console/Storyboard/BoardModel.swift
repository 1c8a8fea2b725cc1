/// Every screen of an app in every state (`storyboard/board`).
///
/// Parts: `panel` (`storyboard/panel`), `status` (`storyboard/status`).
struct BoardModel: Encodable, Sendable {
    var appName: String
    var appSwitch: AppSwitchModel
    var status: Status
    /// POST.
    var rerenderAction: String
    /// This page, as the return target of forms.
    var boardURL: String
    /// The board as one HTML document, as displayed here.
    var exportURL: String
    /// The same document as a download.
    var downloadURL: String
    var sizes: [ChoiceLinkModel]
    /// Nil unless one of the shown apps follows the system appearance.
    var appearanceChoices: AppearanceChoicesModel?
    /// Links to the pages of the storyboard.
    var tabs: [StoryboardTabModel]
    /// Screen, state kind, compared app.
    var menus: [ChoiceMenuModel]
    var activeFilters: [ActiveFilter]
    /// Nil if no filter is active.
    var clearURL: String?
    var zoom: Zoom
    /// A CSS class: `phone-iphone15`.
    var sizeClass: String
    var boards: [Board]
    /// Nil if there are boards.
    var empty: EmptyStateModel?
    /// The selected state.
    var panel: StatePanelModel?

    struct Status: Encodable, Sendable {
        /// `6 screens, 52 states`.
        var countText: String
        /// ISO 8601; nil until a state has been played.
        var renderedAt: String?
        /// `12 s ago`.
        var renderedText: String?
        /// States without a screen, by kind of failure.
        var failures: [FailureSummary]
    }

    struct FailureSummary: Encodable, Sendable {
        /// `broken`, `unreachable`.
        var failureKind: String
        /// `1 unreachable`.
        var text: String
        var tone: ChipModel.Tone
        /// Selects the first of these states.
        var failureURL: String
    }

    struct ActiveFilter: Encodable, Sendable {
        var text: String
        var removeURL: String
    }

    struct Zoom: Encodable, Sendable {
        /// `z24`: the zoom step it is rendered at until a script applies `percent`.
        var stepName: String
        var percent: Int
        /// `24%`.
        var text: String
        /// Links to the next smaller and larger step; to this page at either end.
        var zoomOutURL: String
        var zoomInURL: String
        /// Whether the zoom is too small for text on the board.
        var isZoomedOut: Bool
    }

    /// The board of one app.
    struct Board: Encodable, Sendable {
        var boardID: String
        var boardName: String
        var boardGlyph: GlyphModel
        /// Whether the app's name is shown above it, which it is if two apps are compared.
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
        /// `login.default`; prefixed with the app id for the second app.
        var tileID: String
        var tileURL: String
        var tileTitle: String
        /// `failure.login.2`; nil for the default state.
        var stateName: String?
        /// `login, Error 401`.
        var accessibilityLabel: String
        var isSelected: Bool
        var frameURL: String
        /// A CSS class for the status bar: `on-dark`.
        var statusBarStyle: String
        /// Why the tile shows no screen; nil if it shows one or was not played yet.
        var failure: RenderStatus.Failure?
    }
}
