package import Apps

/// An edge case of a step: its screen in another state.
package struct WalkthroughBranch {
    package let app: App
    package let screen: Screen
    package let state: ScreenState
    private let titles: StateTitles

    package init(_ app: App, _ screen: Screen, _ state: ScreenState) {
        self.app = app
        self.screen = screen
        self.state = state
        titles = StateTitles(app, screen)
    }

    package var key: StateRecording.Key { StateRecording.Key(screen: screen.id, state: state.name) }

    /// `Offline`, `Field error: email, too short`.
    package var title: String {
        switch state.cause {
        case .unknownFailure: "Unhandled error" + actionSuffix
        case .network(_, .connection): "Server unreachable" + actionSuffix
        case .loading: "Slow response" + actionSuffix
        default: titles.title(of: state)
        }
    }

    package var description: String { StateDescriptions(titles: titles).description(of: state) }

    /// Names the action if the screen has several with calls.
    private var actionSuffix: String {
        guard let name = state.cause.action, let action = screen.action(name),
            screen.allActions.count(where: { !$0.calls.isEmpty }) > 1
        else { return "" }
        return ": \(titles.actionLabel(action.name))"
    }
}

extension App {
    /// The failure and loading states of a screen.
    package func branches(of screen: Screen) -> [WalkthroughBranch] {
        screenStates(of: screen).filter { state in
            switch state.cause {
            case .fieldError, .failure, .unknownFailure, .network, .loading, .sessionExpired: true
            case .initial, .disabled, .confirm, .success: false
            }
        }.map { WalkthroughBranch(self, screen, $0) }
    }
}
