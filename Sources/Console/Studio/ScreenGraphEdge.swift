import Apps

/// A transition between two screens in the screen graph.
struct ScreenGraphEdge: Equatable {
    var from: String
    var to: String
    /// The trigger: `Login`, `relaunch`; empty if it is self-evident.
    var label: String
    /// Whether only links and tabs cause it, no action.
    var isNavigationOnly: Bool

    /// One edge for each pair of screens, with the first nonempty label.
    static func all(of app: App) -> [ScreenGraphEdge] {
        var edges: [ScreenGraphEdge] = []
        for edge in app.edges where edge.from != edge.to && edge.isOnScreenGraph {
            guard app.screen(edge.from) != nil, app.screen(edge.to) != nil else { continue }
            let isNavigation = edge.kind == .link || edge.kind == .tab
            let index = edges.firstIndex { $0.from == edge.from && $0.to == edge.to }
            guard let index else {
                edges.append(
                    ScreenGraphEdge(
                        from: edge.from, to: edge.to, label: edgeLabel(edge),
                        isNavigationOnly: isNavigation))
                continue
            }
            edges[index].isNavigationOnly = edges[index].isNavigationOnly && isNavigation
            // An unconditional start needs no label.
            if edge.kind == .launch, edge.label == "start" {
                edges[index].label = ""
            } else if edges[index].label.isEmpty, edge.kind != .launch {
                edges[index].label = edge.label
            }
        }
        return edges
    }

    private static func edgeLabel(_ edge: Edge) -> String {
        switch edge.kind {
        case .launch: edge.label == "start" ? "" : "relaunch"
        case .tab: ""
        default: edge.label
        }
    }
}

extension Edge {
    /// Whether the screen graph shows the edge. Failures, which can happen on any screen, would
    /// clutter it.
    var isOnScreenGraph: Bool {
        switch kind {
        case .launch, .submit, .action, .link, .tab: true
        case .failure, .sessionExpired: false
        }
    }
}
