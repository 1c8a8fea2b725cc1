package import Apps
import Simulator
import Web

/// Plans routes between the screens of an app from its manifest.
struct RoutePlanner: Sendable {
    let app: App
    /// Nil stands for a device that supports every action.
    var device: Device?
    let backend: String

    enum Move: Hashable, Sendable {
        case launch
        /// A link or a tab, by its target screen.
        case open(String)
        case action(String)
    }

    /// A move and the screen it starts from.
    struct Step: Hashable, Sendable {
        var from: String
        var move: Move
    }

    /// The possible moves on a screen with their destinations, in the order to try them.
    func moves(on screen: Screen) -> [(move: Move, to: [String])] {
        if screen.kind == .launch {
            let targets = app.launch.flatMap {
                $0.navigationRules.map(\.destination) + [$0.destination]
            }
            return [(.launch, targets)]
        }
        let submitMoves = actionMoves(on: screen, screen.submitAction.map { [$0] } ?? [])
        let linkMoves = (screen.tabs + screen.links.map(\.screen)).filter { $0 != screen.id }.map {
            (Move.open($0), [$0])
        }
        return submitMoves + linkMoves + actionMoves(on: screen, screen.actions)
    }

    private func actionMoves(on screen: Screen, _ actions: [Action]) -> [(move: Move, to: [String])]
    {
        actions.filter { action in
            // Shortcuts would skip screens, and prompts need an answer.
            !action.isInert && !action.bypassesSession && !action.hasPrompt
                && app.canPerform(action, backend: backend) && device?.supports(action) ?? true
        }.compactMap { action in
            let destinations =
                (action.navigationRules.map(\.destination) + [action.destination].compactMap(\.self))
                .filter { $0 != screen.id }
            return destinations.isEmpty ? nil : (.action(action.name), destinations)
        }
    }

    /// The first step of the shortest route; nil if there is no route without `excluded`.
    func firstStep(from start: String, to target: String, excluding excluded: Set<Step> = [])
        -> Step?
    {
        var firstSteps: [String: Step] = [:]
        var queue = [start]
        while !queue.isEmpty {
            let current = queue.removeFirst()
            guard let screen = app.screen(current) else { continue }
            for (move, destinations) in moves(on: screen) {
                let step = Step(from: current, move: move)
                guard !excluded.contains(step) else { continue }
                for next in destinations where next != start && firstSteps[next] == nil {
                    firstSteps[next] = firstSteps[current] ?? step
                    if next == target { return firstSteps[next] }
                    queue.append(next)
                }
            }
        }
        return nil
    }

    /// The screens reachable on a new device, in the order in which it meets them: from the launch
    /// table's row for a device that has nothing stored, and screens that need a session last.
    var reachableScreens: [String] {
        guard let start = app.screens.first(where: { $0.kind == .launch }) else { return [] }
        let freshRow = app.launch.first { row in
            row.lockedNames.isEmpty && row.conditions.areMet { _ in nil }
        }
        var reached = [start.id]
        var index = 0
        func visit(_ screens: [String]) {
            for screen in screens where !reached.contains(screen) { reached.append(screen) }
        }
        func visitAll() {
            while index < reached.count {
                let screen = app.screen(reached[index])
                index += 1
                // The other rows are those of a later start.
                guard let screen, screen.kind != .launch else { continue }
                visit(moves(on: screen).flatMap(\.to) + failureScreens(of: screen))
            }
        }
        if let freshRow { visit(destinations(of: freshRow)) }
        visitAll()
        visit(app.launch.flatMap(destinations))
        visitAll()
        let sessionScreens = reached.filter { app.screen($0)?.requirement == .session }
        return reached.filter { !sessionScreens.contains($0) } + sessionScreens
    }

    private func destinations(of row: LaunchRow) -> [String] {
        row.navigationRules.map(\.destination) + [row.destination]
    }

    /// Where failures of the screen's calls lead: an address that is not verified.
    private func failureScreens(of screen: Screen) -> [String] {
        screen.allActions.filter { !$0.isInert }.flatMap(\.calls).flatMap { name in
            app.call(name, backend: backend)?.failures.compactMap(\.destination) ?? []
        }
    }
}

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
        case _ where origin != nil: title
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
