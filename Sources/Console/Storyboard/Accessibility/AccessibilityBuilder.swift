import Apps
import Simulator

/// Gathers what an accessibility sheet shows before anything is measured.
/// Plays nothing.
struct AccessibilityBuilder {
    let services: Services
    let frames: FrameBuilder
    let stage: Stage
    let workspace: String
    let csrf: String
    let address: AccessibilityAddress

    private var app: App { address.app }

    func build() async throws -> AccessibilityModel {
        let known = services.played(stage.known(app))
        let screens = app.screens.filter { address.screen == nil || address.screen == $0.id }.map {
            screen($0, known)
        }
        let states = screens.reduce(0) { $0 + $1.states.count }
        let dark = looks != nil && address.appearance == .dark
        return AccessibilityModel(
            frame: try await frames.frame(
                "\(app.name), accessibility", place: "storyboard", workspace: workspace, csrf: csrf,
                partURL: address.partURL), csrf: csrf,
            ways: WayModel.all(of: app.id, current: .accessibility),
            appSwitch: AppSwitchModel("audit", "\(app.name), accessibility", on: app, services) {
                Links.accessibility($0)
            }, appID: app.id,
            totalText: Words.count(screens.count, "screen") + ", " + Words.count(states, "state"),
            screenMenu: screenMenu, sizes: sizes, looks: looks, texts: texts, findings: findings,
            findingKind: address.finding?.rawValue, phoneWidth: String(address.size.width),
            phoneHeight: String(address.size.height),
            phoneText: address.size.label + (dark ? ", dark" : ""),
            allText: "Look at all \(states)", screens: screens)
    }

    private func screen(_ screen: Screen, _ known: [Scene.Key: Played]) -> AccessibilityModel.Screen
    {
        let words = StateWords(app, screen)
        let states = app.screenStates(of: screen).map { state in
            let key = Scene.Key(screen: screen.id, state: state.name)
            let showing = known[key]?.showing ?? .unknown
            let title = words.title(of: state)
            return AccessibilityModel.State(
                stateID: "\(screen.id).\(state.name)", stateTitle: title,
                stateName: state.name == title ? nil : state.name,
                sentence: StateSentence(words: words).sentence(of: state),
                sceneURL: address.scene(key), frameURL: address.tile(key),
                expects: telling(of: state, on: screen)?.rawValue, reached: ChipModel(showing),
                reason: showing.reason, isOpen: state.cause == .initial)
        }
        return .init(
            screenName: screen.id, screenCount: Words.count(states.count, "state"), states: states)
    }

    /// How a screen reader has to hear of it.
    private func telling(of state: ScreenState, on screen: Screen) -> AccessibilityModel.Telling? {
        switch state.cause {
        case .initial, .disabled: nil
        case .loading: .busy
        case .fieldError: screen.errors == .field ? .field : .alert
        case .failure, .unknownFailure, .network: .alert
        case .confirm: .dialog
        case .success(_, let saying): saying == .alert ? .dialog : .status
        case .sessionLost: app.session.lost?.message == nil ? nil : .alert
        }
    }

    // MARK: Controls

    private var screenMenu: SheetModel.Menu {
        .screens(of: app, chosen: address.screen) { screen in address.link { $0.screen = screen } }
    }

    private var sizes: [SheetModel.Choice] {
        DeviceSizes.all.sorted { $0.width < $1.width }.map { size in
            .init(
                id: size.id, name: size.shortLabel, href: address.link { $0.size = size },
                current: size.id == address.size.id)
        }
    }

    private var looks: SheetModel.Looks? {
        guard app.appearance == .system else { return nil }
        return .init(
            appearances: AccessibilityAddress.appearances.map { look in
                .init(
                    id: look.rawValue, name: look.rawValue.capitalizedFirst,
                    href: address.link { $0.appearance = look }, current: look == address.appearance
                )
            })
    }

    private var texts: [SheetModel.Choice] {
        SceneBuilder.textSizes.map { size, name in
            .init(
                id: size.rawValue, name: name, href: address.link { $0.text = size },
                current: size == address.text)
        }
    }

    private var findings: [SheetModel.Choice] {
        [
            .init(
                id: "all", name: "All", href: address.link { $0.finding = nil },
                current: address.finding == nil)
        ]
            + FindingKind.allCases.map { kind in
                .init(
                    id: kind.rawValue, name: kind.words, href: address.link { $0.finding = kind },
                    current: address.finding == kind)
            }
    }
}
