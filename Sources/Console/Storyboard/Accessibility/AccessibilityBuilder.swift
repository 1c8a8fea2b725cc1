import Apps
import Simulator
import Storyboards
import Web

/// Builds the model of the accessibility page. Plays no state and measures nothing.
struct AccessibilityBuilder {
    let page: StoryboardPage
    private let query: StoryboardQuery

    private var app: App { page.app }

    static let parameterNames = ["screen", "finding", "size", "appearance", "text"]

    /// Throws a `Problem` that names an invalid value and its choices.
    init(_ page: StoryboardPage) throws(Problem) {
        self.page = page
        query = try StoryboardQuery(
            Links.accessibility(page.app.id),
            [
                .init(name: "screen", choices: page.app.screens.map(\.id)),
                .init(name: "finding", choices: Self.findings.map(\.id)), .size,
                .appearance(["light", "dark"]), .textSize,
            ], page.query)
    }

    /// The kinds of findings, by which the page is filtered.
    private static let findings = [
        (id: "name", name: "Names"), (id: "target", name: "Touch targets < 44 pt"),
        (id: "text", name: "Text contrast"), (id: "edge", name: "Non-text contrast"),
        (id: "announcement", name: "Announcements"),
    ]

    func build() throws -> Page<StoryboardPageModel<AccessibilityModel>> {
        let results = page.playbackResults(of: app)
        let screens = app.screens.filter { [nil, $0.id].contains(query["screen"]) }.map {
            makeScreen($0, results)
        }
        let states = screens.reduce(0) { $0 + $1.states.count }
        let size = query.size ?? DeviceSizes.all[0]
        let isDark = app.appearance == .system && query.appearance == .dark
        return Page(
            .accessibility, of: app, page.services, url: query.link(),
            AccessibilityModel(
                appID: app.id,
                totalText: Format.count(screens.count, "screen") + ", "
                    + Format.count(states, "state"), screenMenu: query.screenMenu(of: app),
                displayMenus: [
                    query.sizeMenu(), query.appearanceMenu(for: [app]), query.textSizeMenu,
                ].compactMap(\.self),
                findingMenu: query.menu("finding", "Findings", of: Self.findings),
                findingKind: query["finding"], phoneWidth: size.width, phoneHeight: size.height,
                phoneText: size.label + (isDark ? ", dark" : ""),
                checkAllText: "Check all \(states)", screens: screens))
    }

    private func makeScreen(_ screen: Screen, _ results: [StateID: PlaybackResult])
        -> AccessibilityModel.Screen
    {
        let options = query.displayItems(for: app)
        let states = app.storyboardStates(of: screen).map { state in
            AccessibilityModel.State(
                state: state, stateURL: Links.statePage(state.id, options),
                frameURL: Links.tile(state.id, options),
                expectedAnnouncement: expectedAnnouncement(of: state),
                status: results[state.id]?.status ?? .notPlayed)
        }
        return .init(
            screenName: screen.id, stateCountText: Format.count(states.count, "state"),
            states: states)
    }

    /// How a screen reader must announce the state; nil if it need not. A `field` is marked invalid
    /// and has an error message, an `alert` is announced immediately, a `status` when the screen
    /// reader is idle.
    private func expectedAnnouncement(of state: StoryboardState) -> String? {
        switch state.cause {
        case .initial, .disabled: nil
        case .loading: "busy"
        case .fieldError: state.screen.errorPlacement == .field ? "field" : "alert"
        case .failure, .unknownFailure, .network: "alert"
        case .confirm: "dialog"
        case .success(_, let feedback): feedback == .alert ? "dialog" : "status"
        case .sessionExpired: app.session.expired?.message == nil ? nil : "alert"
        }
    }
}

/// The accessibility page of an app's states (`storyboard/accessibility`). Its script measures each
/// state in the browser.
struct AccessibilityModel: Encodable, Sendable {
    var appID: String
    /// `6 screens, 52 states`.
    var totalText: String
    var screenMenu: ChoiceMenuModel
    /// Size, appearance unless the app has a fixed one, text size.
    var displayMenus: [ChoiceMenuModel]
    var findingMenu: ChoiceMenuModel
    /// The requested kind; nil for all.
    var findingKind: String?
    /// The size of the measured phone, in points.
    var phoneWidth: Int
    var phoneHeight: Int
    /// `iPhone 15, dark`.
    var phoneText: String
    /// `Check all 52`.
    var checkAllText: String
    var screens: [Screen]

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
