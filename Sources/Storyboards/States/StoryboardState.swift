package import Apps
import Web

/// Identifies a state of a screen of an app.
package struct StateID: Encodable, Sendable, Hashable {
    package var app: String
    package var screen: String
    package var state: String

    package init(app: String, screen: String, state: String = "default") {
        self.app = app
        self.screen = screen
        self.state = state
    }
}

/// A state of a screen, as the storyboard plays, names and describes it.
package struct StoryboardState: Sendable {
    package let app: App
    package let screen: Screen
    package let name: String
    package let cause: ScreenState.Cause
    /// The screen whose action or launch leads to it, if another.
    let origin: Screen?
    /// All states of the screen, among which the title must be unique.
    let siblings: [ScreenState]

    package var id: StateID { StateID(app: app.id, screen: screen.id, state: name) }

    package var kind: StateKind { StateKind(cause) }

    /// The action that causes it; nil for a state that needs none.
    var action: Action? { cause.action.flatMap(actingScreen.action) }
    var actionLabel: String { cause.action.map(actingScreen.label(ofAction:)) ?? "" }

    /// The screen of its action.
    var actingScreen: Screen { origin ?? screen }

    /// The manifest's failure row that it shows.
    var failureRow: Call.Failure? {
        guard case .failure(_, let call, let index) = cause else { return nil }
        return app.failure(of: call, at: index)
    }
}

extension App {
    /// The states of all screens, in the order of the manifest.
    package var storyboardStates: [StoryboardState] { screens.flatMap(storyboardStates) }

    package func storyboardStates(of screen: Screen) -> [StoryboardState] {
        let states = screenStates(of: screen)
        return states.map {
            StoryboardState(
                app: self, screen: screen, name: $0.name, cause: $0.cause,
                origin: $0.origin.flatMap(self.screen), siblings: states)
        }
    }

    /// Nil if the app has no such screen or state.
    package func storyboardState(_ screen: String, _ state: String) -> StoryboardState? {
        self.screen(screen).flatMap { screen in
            storyboardStates(of: screen).first { $0.name == state }
        }
    }

    /// A row of the failures of a call; nil if there is none.
    func failure(of call: String, at index: Int) -> Call.Failure? {
        let failures = calls[call]?.failures ?? []
        return failures.indices.contains(index) ? failures[index] : nil
    }
}

extension Screen {
    /// The action's label as displayed on the screen.
    func label(ofAction name: String) -> String { action(name)?.displayLabel ?? name }
}

extension ScreenState.Cause {
    /// The name of the action it belongs to.
    var action: String? {
        switch self {
        case .loading(let action), .disabled(let action), .failure(let action, _, _),
            .unknownFailure(let action), .network(let action, _), .confirm(let action),
            .page(let action), .success(let action, _), .choice(let action, _, _),
            .bypass(let action), .contribution(let action):
            action
        case .initial, .fieldError, .sessionExpired, .loadFailure: nil
        }
    }
}

/// The kind of a state, by which the board is filtered.
package enum StateKind: String, CaseIterable, Sendable {
    case initial = "default"
    case fieldError = "field-error"
    case failure
    case network
    case loading
    case disabled
    case confirmation
    case page
    case message
    case sessionExpired = "session-expired"

    package init(_ cause: ScreenState.Cause) {
        self =
            switch cause {
            case .initial, .choice, .bypass, .contribution: .initial
            case .loading: .loading
            case .disabled: .disabled
            case .fieldError: .fieldError
            case .failure, .unknownFailure, .loadFailure: .failure
            case .network: .network
            case .confirm: .confirmation
            case .page: .page
            case .success: .message
            case .sessionExpired: .sessionExpired
            }
    }

    /// `Field error`.
    package var label: String {
        switch self {
        case .fieldError: "Field error"
        case .sessionExpired: "Session expired"
        default: rawValue.capitalizedFirst
        }
    }
}
