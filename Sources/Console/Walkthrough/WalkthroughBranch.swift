import Apps

/// A turn a step can take: the screen in another of its states.
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
        let told = titles.title(of: state)
        let rest =
            told.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " }) }
            ?? told
        return switch state.cause {
        case .initial: "As it is first shown"
        case .fieldError: "Now with a mistake: \(rest)"
        case .failure: "Now refused: \(rest)"
        case .unknownFailure: "Now refused in a way it has no words for"
        case .network(_, .offline): "Now offline" + actionSuffix
        case .network(_, .timeout): "Now without an answer in time" + actionSuffix
        case .network(_, .connection): "Now with nobody there" + actionSuffix
        case .network(_, .invalidResponse): "Now with an answer it cannot read" + actionSuffix
        case .loading: "Now while the answer takes its time" + actionSuffix
        case .sessionExpired: "Now with the session lost"
        case .disabled, .confirm, .success: "Now \(told)"
        }
    }

    var description: String { StateDescriptions(titles: titles).description(of: state) }

    /// Named where the screen has more than one.
    private var actionSuffix: String {
        guard let name = state.cause.action, let action = screen.action(name),
            screen.allActions.count(where: { !$0.calls.isEmpty }) > 1
        else { return "" }
        return ", \(titles.actionLabel(action.name))"
    }
}

extension App {
    /// What can go wrong on a screen, as a person would meet it.
    func branches(of screen: Screen) -> [WalkthroughBranch] {
        screenStates(of: screen).filter { state in
            switch state.cause {
            case .fieldError, .failure, .unknownFailure, .network, .loading, .sessionExpired: true
            case .initial, .disabled, .confirm, .success: false
            }
        }.map { WalkthroughBranch(self, screen, $0) }
    }
}
