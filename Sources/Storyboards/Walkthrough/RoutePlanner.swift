import Apps
import Simulator

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
            return [
                (
                    .launch,
                    app.launch.flatMap { $0.navigationRules.map(\.destination) + [$0.destination] }
                )
            ]
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
            // Shortcuts and biometric actions would skip screens.
            !action.isInert && !action.bypassesSession && action.biometricCheck == nil
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

    /// The screens reachable on a new device, in the order they are reached: first those that need
    /// no session.
    var reachableScreens: [String] {
        guard let start = app.screens.first(where: { $0.kind == .launch }) else { return [] }
        var reached = [start.id]
        var index = 0
        while index < reached.count {
            let screen = app.screen(reached[index])
            index += 1
            let screenMoves = screen.map { moves(on: $0) } ?? []
            for destination in screenMoves.flatMap(\.to) where !reached.contains(destination) {
                reached.append(destination)
            }
        }
        let sessionScreens = reached.filter { app.screen($0)?.requirement == .session }
        return reached.filter { !sessionScreens.contains($0) } + sessionScreens
    }
}
