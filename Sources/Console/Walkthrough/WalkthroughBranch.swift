import Apps

/// An edge case of a step: its screen in another state.
struct WalkthroughBranch {
    let app: App
    let screen: Screen
    let state: ScreenState
    private let titles: StateTitles

    init(_ app: App, _ screen: Screen, _ state: ScreenState) {
        self.app = app
        self.screen = screen
        self.state = state
        titles = StateTitles(app, screen)
    }

    var key: StateRecording.Key { StateRecording.Key(screen: screen.id, state: state.name) }

    /// `Now offline`, `Now with email too short`.
    var title: String {
        let stateTitle = titles.title(of: state)
        let detail =
            stateTitle.split(separator: ":", maxSplits: 1).last.map {
                String($0.drop { $0 == " " })
            }
            ?? stateTitle
        return switch state.cause {
        case .initial: "As it is first shown"
        case .fieldError: "Now with a mistake: \(detail)"
        case .failure: "Now refused: \(detail)"
        case .unknownFailure: "Now refused in a way it has no words for"
        case .network(_, .offline): "Now offline" + actionSuffix
        case .network(_, .timeout): "Now without an answer in time" + actionSuffix
        case .network(_, .connection): "Now with nobody there" + actionSuffix
        case .network(_, .invalidResponse): "Now with an answer it cannot read" + actionSuffix
        case .loading: "Now while the answer takes its time" + actionSuffix
        case .sessionExpired: "Now with the session lost"
        case .disabled, .confirm, .success: "Now \(stateTitle)"
        }
    }

    var description: String { StateDescriptions(titles: titles).description(of: state) }

    /// Names the action if the screen has several with calls.
    private var actionSuffix: String {
        guard let name = state.cause.action, let action = screen.action(name),
            screen.allActions.count(where: { !$0.calls.isEmpty }) > 1
        else { return "" }
        return ", \(titles.actionLabel(action.name))"
    }
}

extension App {
    /// The failure and loading states of a screen.
    func branches(of screen: Screen) -> [WalkthroughBranch] {
        screenStates(of: screen).filter { state in
            switch state.cause {
            case .fieldError, .failure, .unknownFailure, .network, .loading, .sessionExpired: true
            case .initial, .disabled, .confirm, .success: false
            }
        }.map { WalkthroughBranch(self, screen, $0) }
    }
}
