import Apps
import Simulator

/// An app's screens and every way between them, with how often each was
/// really seen.
struct TransitionMap: Sendable {
    let app: App
    let screens: [ScreenVisits]
    /// In the manifest's order; then those it does not tell of.
    let edges: [Edge]

    struct ScreenVisits: Sendable {
        var id: String
        /// How often it was shown.
        var count: Int
    }

    struct Edge: Sendable {
        var from: String
        var to: String
        /// What leads there, each once: `Login`, `unverified`.
        var labels: [String]
        var count: Int
        /// Whether the manifest tells of it; others lead over an address, a
        /// notification, a state put back.
        var isDeclared: Bool
    }

    init(_ app: App, _ taken: [Transition]) {
        self.app = app
        var counts: [[String]: Int] = [:]
        var shown: [String: Int] = [:]
        for one in taken {
            counts[[one.from, one.to], default: 0] += one.count
            shown[one.to, default: 0] += one.count
        }
        screens = app.screens.map { ScreenVisits(id: $0.id, count: shown[$0.id] ?? 0) }
        var ways: [Edge] = []
        var places: [[String]: Int] = [:]
        func add(_ from: String, _ to: String, _ label: String?) {
            let pair = [from, to]
            guard from != to, app.screen(from) != nil, app.screen(to) != nil else { return }
            if let index = places[pair] {
                if let label, !ways[index].labels.contains(label) {
                    ways[index].labels.append(label)
                }
                return
            }
            places[pair] = ways.count
            ways.append(
                Edge(
                    from: from, to: to, labels: label.map { [$0] } ?? [], count: counts[pair] ?? 0,
                    isDeclared: label != nil))
        }
        for edge in app.edges { add(edge.from, edge.to, edge.label) }
        for one in taken { add(one.from, one.to, nil) }
        self.edges = ways
    }

    var declaredEdges: [Edge] { edges.filter(\.isDeclared) }
    var visitedScreenCount: Int { screens.count { $0.count > 0 } }
    var traversedEdgeCount: Int { declaredEdges.count { $0.count > 0 } }

    /// What the map draws: of ways that only failures make, those that were
    /// taken, so that they do not lie over everything else.
    func addingTraversedEdges(to layout: ScreenGraphLayout) -> ScreenGraphLayout {
        var drawn = layout.edges
        for way in edges where way.count > 0 {
            guard !drawn.contains(where: { $0.from == way.from && $0.to == way.to }) else {
                continue
            }
            drawn.append(
                ScreenGraphEdge(
                    from: way.from, to: way.to, label: way.labels.first ?? "",
                    isNavigationOnly: false))
        }
        return ScreenGraphLayout(positions: layout.positions, edges: drawn)
    }

    func overlay(marksMissed: Bool) -> ScreenGraphOverlay {
        ScreenGraphOverlay(
            app: app, currentScreen: nil,
            visitCounts: Dictionary(
                uniqueKeysWithValues: screens.filter { $0.count > 0 }.map { ($0.id, $0.count) }),
            transitions: edges.filter { $0.count > 0 }.map {
                Transition(from: $0.from, to: $0.to, count: $0.count)
            }, lastTransition: nil, marksMissed: marksMissed, showsCounts: true)
    }
}
