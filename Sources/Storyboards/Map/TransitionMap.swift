package import Apps
package import Simulator

/// An app's screens and the transitions between them, with recorded counts.
package struct TransitionMap: Sendable {
    package let app: App
    /// With how often each was shown.
    package let screens: [(id: String, count: Int)]
    /// The declared edges in the manifest's order, then the undeclared ones.
    package let edges: [Edge]

    /// A way from one screen to another, declared, taken or both.
    package struct Edge: Encodable, Sendable {
        package var from: String
        package var to: String
        /// The triggers, without duplicates: `Login`, `unverified`.
        package var labels: [String]
        package var count: Int
        /// Whether the manifest declares it. Undeclared edges are caused by a URL, a notification
        /// or a restored state.
        package var isDeclared: Bool
    }

    package init(_ app: App, _ transitions: [Transition]) {
        self.app = app
        var counts: [[String]: Int] = [:]
        var visits: [String: Int] = [:]
        for transition in transitions {
            counts[[transition.from, transition.to], default: 0] += transition.count
            visits[transition.to, default: 0] += transition.count
        }
        screens = app.screens.map { ($0.id, visits[$0.id] ?? 0) }
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

    package var declaredEdges: [Edge] { edges.filter(\.isDeclared) }
    package var visitedScreenCount: Int { screens.count { $0.count > 0 } }
    package var traversedEdgeCount: Int { declaredEdges.count { $0.count > 0 } }
}
