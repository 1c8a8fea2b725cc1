import Apps
import Simulator
import Storyboards
import Web

/// The accessibility page of an app's states (`storyboard/accessibility`). Its script measures each
/// state in the browser.
struct AccessibilityModel: Encodable, Sendable {
    let appID: String
    /// `6 screens, 52 states`.
    let totalText: String
    let screenMenu: ChoiceMenuModel
    /// Size, appearance unless the app has a fixed one, text size.
    let displayMenus: [ChoiceMenuModel]
    let findingMenu: ChoiceMenuModel
    /// The requested kind; nil for all.
    let findingKind: String?
    /// The size of the measured phone, in points.
    let phoneWidth: Int
    let phoneHeight: Int
    /// `iPhone 15, dark`.
    let phoneText: String
    /// `Check all 52`.
    let checkAllText: String
    let screens: [Screen]

    struct Screen: Encodable, Sendable {
        var screenName: String
        /// `12 states`.
        var stateCountText: String
        var states: [State]
    }

    struct State: Encodable, Sendable {
        var state: StoryboardState
        /// The page of the state.
        var stateURL: String
        /// The document to measure.
        var frameURL: String
        /// Nil if the state needs none.
        var expectedAnnouncement: String?
        var status: RenderStatus
    }
}

extension AccessibilityModel {
    static let parameterNames = ["screen", "finding", "size", "appearance", "text"]

    /// The kinds of findings, by which the page is filtered.
    private static let findings = [
        (id: "name", name: "Names"), (id: "target", name: "Touch targets < 44 pt"),
        (id: "text", name: "Text contrast"), (id: "edge", name: "Non-text contrast"),
        (id: "announcement", name: "Announcements"),
    ]

    /// Throws a `Problem` that names an invalid value and its choices.
    static func query(of page: StoryboardPage) throws(Problem) -> StoryboardQuery {
        try StoryboardQuery(
            Links.accessibility(page.app.id),
            [
                .init(name: "screen", choices: page.app.screens.map(\.id)),
                .init(name: "finding", choices: findings.map(\.id)), .size,
                .appearance(["light", "dark"]), .textSize,
            ], page.query)
    }

    /// Plays no state and measures nothing.
    init(_ page: StoryboardPage, _ query: StoryboardQuery) {
        let app = page.app
        let results = page.playbackResults(of: app)
        let options = query.displayItems(for: app)
        screens = app.screens.filter { [nil, $0.id].contains(query["screen"]) }.map { screen in
            let states = app.storyboardStates(of: screen).map { state in
                State(
                    state: state, stateURL: Links.statePage(state.id, options),
                    frameURL: Links.tile(state.id, options),
                    expectedAnnouncement: Self.expectedAnnouncement(of: state),
                    status: results[state.id]?.status ?? .notPlayed)
            }
            return Screen(
                screenName: screen.id, stateCountText: Format.count(states.count, "state"),
                states: states)
        }
        let stateCount = screens.reduce(0) { $0 + $1.states.count }
        appID = app.id
        totalText =
            Format.count(screens.count, "screen") + ", " + Format.count(stateCount, "state")
        checkAllText = "Check all \(stateCount)"
        screenMenu = query.screenMenu(of: app)
        displayMenus = [
            query.sizeMenu(), query.appearanceMenu(for: [app]), query.textSizeMenu,
        ].compactMap(\.self)
        findingMenu = query.menu("finding", "Findings", of: Self.findings)
        findingKind = query["finding"]
        let size = query.size ?? DeviceSizes.all[0]
        let isDark = app.appearance == .system && query.appearance == .dark
        phoneWidth = size.width
        phoneHeight = size.height
        phoneText = size.label + (isDark ? ", dark" : "")
    }

    /// How a screen reader must announce the state; nil if it need not. A `field` is marked invalid
    /// and has an error message, an `alert` is announced immediately, a `status` when the screen
    /// reader is idle.
    private static func expectedAnnouncement(of state: StoryboardState) -> String? {
        switch state.cause {
        case .initial, .disabled: nil
        case .loading: "busy"
        case .fieldError: state.screen.errorPlacement == .field ? "field" : "alert"
        case .failure, .unknownFailure, .network: "alert"
        case .confirm: "dialog"
        case .success(_, let feedback): feedback == .alert ? "dialog" : "status"
        case .sessionExpired: state.app.session.expired?.message == nil ? nil : "alert"
        }
    }
}
