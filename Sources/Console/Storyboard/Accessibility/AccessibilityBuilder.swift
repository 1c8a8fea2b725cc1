import Apps
import Simulator
import Storyboards
import Templates
import Web

/// Builds the accessibility page of an app's states (`storyboard/accessibility`). Its script
/// measures each state in the browser; this plays no state and measures nothing.
struct AccessibilityBuilder {
    private let page: StoryboardPage
    private let query: StoryboardQuery

    private var app: App { page.app }

    static let parameterNames = ["screen", "finding", "size", "appearance", "text"]

    /// The kinds of findings, by which the page is filtered.
    private static let findings = [
        (id: "name", name: "Names"), (id: "target", name: "Touch targets < 44 pt"),
        (id: "text", name: "Text contrast"), (id: "edge", name: "Non-text contrast"),
        (id: "announcement", name: "Announcements"),
    ]

    /// Throws a `Problem` that names an invalid value of the query and its choices.
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

    func build() -> Page {
        let results = page.playbackResults(of: app)
        let states = page.services.storyboardStates(of: app)
        let byScreen = Dictionary(grouping: states, by: \.screen.id)
        let screens = app.screens.filter { [nil, $0.id].contains(query["screen"]) }.map {
            (name: $0.id, states: byScreen[$0.id] ?? [])
        }
        let stateCount = screens.reduce(0) { $0 + $1.states.count }
        let size = query.size ?? DeviceSizes.all[0]
        let isDark = app.appearance == .system && query.appearance == .dark
        return Page(
            .accessibility, of: app, page.services, url: query.link(),
            [
                "appID": app.id,
                "totalText": Format.count(screens.count, "screen") + ", "
                    + Format.count(stateCount, "state"),
                "checkAllText": "Check all \(stateCount)",
                "screenMenu": query.screenMenu(of: app, states),
                "displayMenus": [
                    query.sizeMenu(), query.appearanceMenu(for: [app]), query.textSizeMenu,
                ].compactMap(\.self),
                "findingMenu": query.menu("finding", "Findings", of: Self.findings),
                "findingKind": query["finding"], "phoneWidth": size.width,
                "phoneHeight": size.height, "phoneText": size.label + (isDark ? ", dark" : ""),
                "screens": screens.map { name, states -> TemplateModel in
                    [
                        "screenName": name, "stateCountText": Format.count(states.count, "state"),
                        "states": states.map { makeState($0, results[$0.id]) },
                    ]
                },
            ])
    }

    private func makeState(_ state: StoryboardState, _ result: PlaybackResult?) -> TemplateModel {
        let options = query.displayItems(for: app)
        return [
            "state": state.model, "stateURL": Links.statePage(state.id, options),
            "frameURL": Links.tile(state.id, options),
            "expectedAnnouncement": expectedAnnouncement(of: state),
            "status": result?.status ?? .notPlayed,
        ]
    }

    /// How a screen reader must announce the state; nil if it need not. A `field` is marked invalid
    /// and has an error message, an `alert` is announced immediately, a `status` when the screen
    /// reader is idle.
    private func expectedAnnouncement(of state: StoryboardState) -> String? {
        switch state.cause {
        case .initial, .disabled, .page, .loadFailure, .choice, .bypass, .contribution: nil
        case .loading: "busy"
        case .fieldError: state.screen.errorPlacement == .field ? "field" : "alert"
        case .failure, .unknownFailure, .network: "alert"
        case .confirm: "dialog"
        case .success(_, let feedback): feedback == .alert ? "dialog" : "status"
        case .sessionExpired: state.app.session.expired?.message == nil ? nil : "alert"
        }
    }
}
