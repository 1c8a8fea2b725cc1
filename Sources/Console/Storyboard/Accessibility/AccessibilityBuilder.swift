import Apps
import Simulator
import Storyboards
import Web

/// Builds the model of the accessibility page. Plays no state and measures nothing.
struct AccessibilityBuilder {
    let services: Services
    let frames: FrameBuilder
    let stateCache: StateCache
    let workspace: String
    let csrf: String
    let query: AccessibilityQuery

    private var app: App { query.app }

    func build() async throws -> AccessibilityModel {
        let results = services.playbackResults(of: stateCache.cachedRecordings(of: app))
        let screens = app.screens.filter { query.screen == nil || query.screen == $0.id }.map {
            makeScreen($0, results)
        }
        let states = screens.reduce(0) { $0 + $1.states.count }
        let isDark = appearanceChoices != nil && query.appearance == .dark
        return AccessibilityModel(
            frame: try await frames.frame(
                "\(app.name), accessibility", navItem: "storyboard", workspace: workspace,
                csrfToken: csrf,
                partURL: query.partURL), csrf: csrf,
            tabs: StoryboardTabModel.all(of: app.id, current: .accessibility),
            appSwitch: AppSwitchModel("audit", "\(app.name), accessibility", on: app, services) {
                Links.accessibility($0)
            }, appID: app.id,
            totalText: Format.count(screens.count, "screen") + ", " + Format.count(states, "state"),
            screenMenu: screenMenu, sizes: sizeChoices, appearanceChoices: appearanceChoices,
            textSizes: textSizeChoices, findingChoices: findingChoices,
            findingKind: query.finding?.rawValue, phoneWidth: String(query.size.width),
            phoneHeight: String(query.size.height),
            phoneText: query.size.label + (isDark ? ", dark" : ""),
            checkAllText: "Check all \(states)", screens: screens)
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
    private func expectedAnnouncement(of state: StoryboardState)
        -> AccessibilityModel.Announcement?
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

    // MARK: Controls

    private var screenMenu: BoardModel.Menu {
        .screens(of: app, chosen: query.screen) { screen in query.link { $0.screen = screen } }
    }

    private var sizeChoices: [BoardModel.Choice] {
        DeviceSizes.all.sorted { $0.width < $1.width }.map { size in
            .init(
                id: size.id, name: size.shortLabel, href: query.link { $0.size = size },
                current: size.id == query.size.id)
        }
    }

    private var appearanceChoices: BoardModel.AppearanceChoices? {
        guard app.appearance == .system else { return nil }
        return .init(
            appearances: AccessibilityQuery.appearances.map { appearance in
                .init(
                    id: appearance.rawValue, name: appearance.rawValue.capitalizedFirst,
                    href: query.link { $0.appearance = appearance },
                    current: appearance == query.appearance
                )
            })
    }

    private var textSizeChoices: [BoardModel.Choice] {
        StateDetailBuilder.textSizes.map { size, name in
            .init(
                id: size.rawValue, name: name, href: query.link { $0.textSize = size },
                current: size == query.textSize)
        }
    }

    private var findingChoices: [BoardModel.Choice] {
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
