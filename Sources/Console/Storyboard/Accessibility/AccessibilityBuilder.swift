import Apps
import Simulator
import Storyboards
import Web

/// Builds the model of the accessibility page. Plays no state and measures nothing.
struct AccessibilityBuilder {
    let page: StoryboardPage
    let query: AccessibilityQuery

    private var app: App { page.app }

    func build() async throws -> Page<AccessibilityModel> {
        let results = page.playbackResults(of: app)
        let screens = app.screens.filter { query.screen == nil || query.screen == $0.id }.map {
            makeScreen($0, results)
        }
        let states = screens.reduce(0) { $0 + $1.states.count }
        let followsSystem = app.appearance == .system
        return page.makePage(
            "\(app.name), accessibility", url: query.pageURL,
            AccessibilityModel(
                tabs: StoryboardTabModel.all(of: app.id, current: .accessibility),
                appSwitch: page.appSwitch(
                    "audit", "\(app.name), accessibility", url: Links.accessibility), appID: app.id,
                totalText: Format.count(screens.count, "screen") + ", "
                    + Format.count(states, "state"),
                screenMenu: .screens(of: app, chosen: query.screen) { screen in
                    query.link { $0.screen = screen }
                }, sizes: .sizes(chosen: query.size.id) { size in query.link { $0.size = size } },
                appearanceChoices: followsSystem
                    ? .init(AccessibilityQuery.appearances, chosen: query.appearance) { chosen in
                        query.link { $0.appearance = chosen }
                    } : nil,
                textSizes: .textSizes(chosen: query.textSize) { size in
                    query.link { $0.textSize = size }
                }, findingChoices: findingChoices, findingKind: query.finding?.rawValue,
                phoneWidth: String(query.size.width), phoneHeight: String(query.size.height),
                phoneText: query.size.label
                    + (followsSystem && query.appearance == .dark ? ", dark" : ""),
                checkAllText: "Check all \(states)", screens: screens))
    }

    private func makeScreen(_ screen: Screen, _ results: [StateID: PlaybackResult])
        -> AccessibilityModel.Screen
    {
        let states = app.storyboardStates(of: screen).map { state in
            let status = results[state.id]?.renderStatus ?? .notPlayed
            return AccessibilityModel.State(
                stateID: "\(screen.id).\(state.name)", stateTitle: state.title,
                stateName: state.cause == .initial ? nil : state.name,
                description: state.description,
                stateURL: query.stateURL(state.id), frameURL: query.tileURL(state.id),
                expectedAnnouncement: expectedAnnouncement(of: state)?.rawValue,
                statusChip: ChipModel(status),
                reason: status.failureReason, isExpanded: state.cause == .initial)
        }
        return .init(
            screenName: screen.id, stateCountText: Format.count(states.count, "state"),
            states: states)
    }

    /// How a screen reader must announce the state; nil if it need not.
    private func expectedAnnouncement(of state: StoryboardState) -> AccessibilityModel.Announcement?
    {
        switch state.cause {
        case .initial, .disabled: nil
        case .loading: .busy
        case .fieldError: state.screen.errorPlacement == .field ? .field : .alert
        case .failure, .unknownFailure, .network: .alert
        case .confirm: .dialog
        case .success(_, let feedback): feedback == .alert ? .dialog : .status
        case .sessionExpired: app.session.expired?.message == nil ? nil : .alert
        }
    }

    private var findingChoices: [ChoiceLinkModel] {
        [
            .init(
                id: "all", name: "All", href: query.link { $0.finding = nil },
                current: query.finding == nil)
        ]
            + FindingKind.allCases.map { kind in
                .init(
                    id: kind.rawValue, name: kind.label, href: query.link { $0.finding = kind },
                    current: query.finding == kind)
            }
    }
}

/// The accessibility page of an app's states (`storyboard/accessibility`). Its script measures each
/// state in the browser.
struct AccessibilityModel: Encodable, Sendable {
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    var appID: String
    /// `6 screens, 52 states`.
    var totalText: String
    var screenMenu: ChoiceMenuModel
    var sizes: [ChoiceLinkModel]
    /// Nil if the app has a fixed appearance.
    var appearanceChoices: AppearanceChoicesModel?
    var textSizes: [ChoiceLinkModel]
    /// All, then each kind of finding.
    var findingChoices: [ChoiceLinkModel]
    /// The requested kind; nil for all.
    var findingKind: String?
    /// The size of the measured phone, in points.
    var phoneWidth: String
    var phoneHeight: String
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
        /// `login.default`.
        var stateID: String
        var stateTitle: String
        /// `failure.login.2`; nil for the default state.
        var stateName: String?
        var description: String
        /// The page of the state.
        var stateURL: String
        /// The document to measure.
        var frameURL: String
        /// An `AccessibilityModel.Announcement`; nil if the state needs none.
        var expectedAnnouncement: String?
        /// `Reached`, `Unreachable`, `Not rendered`.
        var statusChip: ChipModel
        var reason: String?
        /// Whether its details are initially expanded.
        var isExpanded: Bool
    }

    /// How a screen reader announces a state.
    enum Announcement: String, Sendable {
        /// The field is marked invalid and has an error message.
        case field
        /// Announced immediately.
        case alert
        /// Announced when the screen reader is idle.
        case status
        case dialog
        case busy
    }
}
