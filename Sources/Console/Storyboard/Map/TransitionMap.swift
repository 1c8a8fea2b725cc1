import Apps
import Simulator

/// An app's screens and the transitions between them, with recorded counts.
struct TransitionMap: Sendable {
    let app: App
    let screens: [ScreenVisits]
    /// The declared edges in the manifest's order, then the undeclared ones.
    let edges: [Edge]

    struct ScreenVisits: Sendable {
        var id: String
        /// How often it was shown.
        var count: Int
    }

    struct Edge: Sendable {
        var from: String
        var to: String
        /// The triggers, without duplicates: `Login`, `unverified`.
        var labels: [String]
        var count: Int
        /// Whether the manifest declares it. Undeclared edges are caused by a URL, a notification
        /// or a restored state.
        var isDeclared: Bool
    }

    init(_ app: App, _ transitions: [Transition]) {
        self.app = app
        var counts: [[String]: Int] = [:]
        var visits: [String: Int] = [:]
        for transition in transitions {
            counts[[transition.from, transition.to], default: 0] += transition.count
            visits[transition.to, default: 0] += transition.count
        }
        screens = app.screens.map { ScreenVisits(id: $0.id, count: visits[$0.id] ?? 0) }
        var edges: [Edge] = []
        var indices: [[String]: Int] = [:]
        func add(_ from: String, _ to: String, _ label: String?) {
            let pair = [from, to]
            guard from != to, app.screen(from) != nil, app.screen(to) != nil else { return }
            if let index = indices[pair] {
                if let label, !edges[index].labels.contains(label) {
                    edges[index].labels.append(label)
                }
                return
            }
            indices[pair] = edges.count
            edges.append(
                Edge(
                    from: from, to: to, labels: label.map { [$0] } ?? [], count: counts[pair] ?? 0,
                    isDeclared: label != nil))
        }
        for edge in app.edges { add(edge.from, edge.to, edge.label) }
        for transition in transitions { add(transition.from, transition.to, nil) }
        self.edges = edges
    }

    var declaredEdges: [Edge] { edges.filter(\.isDeclared) }
    var visitedScreenCount: Int { screens.count { $0.count > 0 } }
    var traversedEdgeCount: Int { declaredEdges.count { $0.count > 0 } }

    /// Adds the traversed edges that `layout` omits. Edges of failures are drawn only if traversed,
    /// as they would clutter the map.
    func addingTraversedEdges(to layout: ScreenGraphLayout) -> ScreenGraphLayout {
        var layout = layout
        for edge in edges where edge.count > 0 {
            guard !layout.edges.contains(where: { $0.from == edge.from && $0.to == edge.to }) else {
                continue
            }
            layout.edges.append(
                ScreenGraphEdge(
                    from: edge.from, to: edge.to, label: edge.labels.first ?? "",
                    isNavigationOnly: false))
        }
        return layout
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
