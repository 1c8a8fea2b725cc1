import Apps
import Diagrams

/// The screens of an app in columns, and the edges between them.
struct ScreenGraphLayout {
    let layout: LayeredLayout
    var edges: [ScreenGraphEdge]

    /// One column for each layer of the flow; screens that require a session come last.
    ///
    /// Tabs of one another share a layer, and so do pairs of signed-out screens that link to each
    /// other.
    static func makeWide(_ app: App) -> ScreenGraphLayout {
        let edges = ScreenGraphEdge.all(of: app)
        let isSignedOut = { (id: String) in app.screen(id)?.requirement == nil }
        let pairs = edges.filter { edge in
            edge.isNavigationOnly && app.screen(edge.from)?.kind != .launch
                && edges.contains { $0.from == edge.to && $0.to == edge.from }
                && isSignedOut(edge.from) && isSignedOut(edge.to)
        }
        let layers = LayerAssignment(
            nodes: app.screens.map(\.id), edges: edges.map { ($0.from, $0.to) },
            groups: app.screens.map(\.tabs).filter { $0.count > 1 }.map(Set.init),
            pairs: pairs.map { ($0.from, $0.to) },
            last: Set(app.screens.map(\.id).filter { !isSignedOut($0) }))
        return ScreenGraphLayout(layout: LayeredLayout(layers), edges: edges)
    }

    /// Three columns at most: launch, signed out, signed in.
    static func makeCompact(_ app: App) -> ScreenGraphLayout {
        let columns = [
            app.screens.filter { $0.kind == .launch },
            app.screens.filter { $0.kind != .launch && $0.requirement == nil },
            app.screens.filter { $0.kind != .launch && $0.requirement != nil },
        ]
        return ScreenGraphLayout(
            layout: LayeredLayout(columns: columns.filter { !$0.isEmpty }.map { $0.map(\.id) }),
            edges: ScreenGraphEdge.all(of: app))
    }
}

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
