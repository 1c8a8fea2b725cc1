import Apps
import Simulator

/// Finds the way a person takes from one screen of an app to another, told by
/// the manifest alone.
struct RoutePlanner: Sendable {
    let app: App
    /// Nil asks of any device.
    var device: Device?
    var backend: String

    init(_ app: App, on device: Device? = nil, backend: String? = nil) {
        self.app = app
        self.device = device
        self.backend = backend ?? app.backends[0].id
    }

    enum Move: Hashable, Sendable {
        case launch
        /// A link or a tab, by its screen.
        case open(String)
        case action(String)
    }

    /// One move, and where it is made.
    struct Step: Hashable, Sendable {
        var from: String
        var move: Move
    }

    /// What can be done on a screen and where it may lead, what a person would
    /// try first before others.
    func moves(on screen: Screen) -> [(move: Move, to: [String])] {
        if screen.kind == .launch {
            return [
                (
                    .launch,
                    app.launch.flatMap { $0.navigationRules.map(\.destination) + [$0.destination] }
                )
            ]
        }
        let forms = actionMoves(on: screen, screen.submitAction.map { [$0] } ?? [])
        let places = (screen.tabs + screen.links.map(\.screen)).filter { $0 != screen.id }.map {
            (Move.open($0), [$0])
        }
        return forms + places + actionMoves(on: screen, screen.actions)
    }

    private func actionMoves(on screen: Screen, _ actions: [Action]) -> [(move: Move, to: [String])]
    {
        actions.filter { action in
            // A short cut and a sensor skip what is to be shown.
            !action.isInert && !action.bypassesSession && action.biometricCheck == nil
                && app.canPerform(action, backend: backend) && device?.supports(action) ?? true
        }.compactMap { action in
            let to =
                (action.navigationRules.map(\.destination) + [action.destination].compactMap(\.self))
                .filter {
                    $0 != screen.id
                }
            return to.isEmpty ? nil : (.action(action.name), to)
        }
    }

    /// The first move of the shortest way; nil if there is none without those
    /// that were tried.
    func firstStep(from start: String, to target: String, excluding tried: Set<Step> = []) -> Step?
    {
        var begun: [String: Step] = [:]
        var queue = [start]
        while !queue.isEmpty {
            let id = queue.removeFirst()
            guard let screen = app.screen(id) else { continue }
            for (move, to) in moves(on: screen) {
                let leg = Step(from: id, move: move)
                guard !tried.contains(leg) else { continue }
                for next in to where next != start && begun[next] == nil {
                    begun[next] = begun[id] ?? leg
                    if next == target { return begun[next] }
                    queue.append(next)
                }
            }
        }
        return nil
    }

    /// The screens a walk can come to: those without a session first, in the
    /// order they are met; a new phone has none.
    var reachableScreens: [String] {
        guard let start = app.screens.first(where: { $0.kind == .launch }) else { return [] }
        var met = [start.id]
        var next = 0
        while next < met.count {
            let screen = app.screen(met[next])
            next += 1
            let ways = screen.map { moves(on: $0) } ?? []
            for other in ways.flatMap(\.to) where !met.contains(other) { met.append(other) }
        }
        let needing = met.filter { app.screen($0)?.requirement == .session }
        return met.filter { !needing.contains($0) } + needing
    }
}
