package import Apps
import Web

/// A step of an app's walkthrough: a screen with its notes.
package struct WalkthroughStep: Sendable, Equatable {
    /// The identifier in the URL: the screen's id, with a number if the screen occurs again.
    package var id: String
    package var screen: Screen
    /// Nil if the manifest has none.
    package var note: String?
    package var points: [App.WalkthroughPoint]

    /// The screen's id as words: `Verify`, `New password`.
    package var name: String {
        screen.id.map { letter in
            "-_".contains(letter)
                ? " " : letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }.joined().whitespaceCollapsed.capitalizedFirst
    }

    /// The heading: the screen's title, or the step's name if the title is just the app's name.
    package func title(in app: App) -> String { screen.title == app.name ? name : screen.title }
}

extension App {
    /// The steps of the manifest's walkthrough; without one, the reachable screens in order.
    package var walkthroughSteps: [WalkthroughStep] {
        let definitions: [(String, String?, [WalkthroughPoint])] =
            walkthrough.isEmpty
            ? RoutePlanner(app: self, backend: backends[0].id).reachableScreens.map {
                ($0, nil, [])
            } : walkthrough.map { ($0.screen, $0.note, $0.points) }
        var visitCounts: [String: Int] = [:]
        return definitions.compactMap { screenID, note, points in
            guard let screen = screen(screenID) else { return nil }
            let visit = visitCounts[screenID, default: 0] + 1
            visitCounts[screenID] = visit
            return WalkthroughStep(
                id: visit > 1 ? "\(screenID)-\(visit)" : screenID, screen: screen, note: note,
                points: points)
        }
    }

    /// The failure and loading states of a screen.
    package func edgeCases(of screen: Screen) -> [StoryboardState] {
        let kinds: [StateKind] = [.fieldError, .failure, .network, .loading, .sessionExpired]
        return storyboardStates(of: screen).filter { kinds.contains($0.kind) }
    }
}

extension StoryboardState {
    /// The title as an edge case: `Offline`, `Field error: email, too short`.
    package var edgeCaseTitle: String {
        switch cause {
        case .unknownFailure: "Unhandled error" + actionSuffix
        case .network(_, .connection): "Server unreachable" + actionSuffix
        case .loading: "Slow response" + actionSuffix
        default: title
        }
    }

    /// Names the action if the screen has several with calls.
    private var actionSuffix: String {
        guard let action, screen.allActions.count(where: { !$0.calls.isEmpty }) > 1 else {
            return ""
        }
        return ": \(action.displayLabel)"
    }
}
