import Apps
import Diagrams

/// The screens of an app in columns, and the routes of the edges between them.
struct ScreenGraphLayout: Sendable {
    let layout: LayeredLayout
    let edges: [ScreenGraphEdge]
    /// The drawn lines, in the order of `routes`.
    let lines: [Line]
    let routes: GraphRoutes

    /// One line for an edge and, between neighbors, for the link in the opposite direction.
    struct Line {
        let edge: ScreenGraphEdge
        let opposite: ScreenGraphEdge?
    }

    init(
        _ layout: LayeredLayout, _ edges: [ScreenGraphEdge], _ dimensions: GraphRoutes.Dimensions
    ) {
        self.layout = layout
        self.edges = edges
        lines = edges.compactMap { edge in
            let opposite = edges.first { $0.from == edge.to && $0.to == edge.from }
            guard let opposite, layout.isStraight(edge.from, edge.to) else {
                return Line(edge: edge, opposite: nil)
            }
            if layout.isBackward(edge.from, edge.to) {
                return edge.isNavigationOnly ? nil : Line(edge: edge, opposite: nil)
            }
            return Line(edge: edge, opposite: opposite.isNavigationOnly ? opposite : nil)
        }
        routes = GraphRoutes(
            layout, lines.map { ($0.edge.from, $0.edge.to) }, dimensions: dimensions)
    }
}

/// The screens of an app and the edges between them, with what every drawing of them needs.
struct ScreenGraph: Sendable {
    let app: App
    let edges: [ScreenGraphEdge]
    /// For drawings of 704 px, or of the width of a page, and of 360 px.
    let wide: ScreenGraphLayout
    let compact: ScreenGraphLayout

    /// What a cached graph was made for. The graph keeps the app, so that its identifier is not
    /// used for another one.
    struct Key: Hashable {
        let app: ObjectIdentifier
        /// Nil for the drawings of 704 px.
        var addedEdges: [ScreenGraphEdge]?
    }

    init(of app: App) {
        self.app = app
        edges = ScreenGraphEdge.all(of: app)
        wide = ScreenGraphLayout(Self.layers(of: app, edges), edges, .wide)
        compact = ScreenGraphLayout(Self.columns(of: app), edges, .compact)
    }

    private init(_ graph: ScreenGraph, adding others: [ScreenGraphEdge]) {
        app = graph.app
        edges = graph.edges + others
        wide = ScreenGraphLayout(
            graph.wide.layout, edges, .page(columns: graph.wide.layout.columnCount))
        compact = ScreenGraphLayout(graph.compact.layout, edges, .compact)
    }

    /// The graph with more edges, as wide as a page.
    func adding(_ others: [ScreenGraphEdge]) -> ScreenGraph { Self(self, adding: others) }

    /// One column for each layer of the flow; screens that require a session come last.
    ///
    /// Tabs of one another share a layer, and so do pairs of signed-out screens that link to each
    /// other.
    private static func layers(of app: App, _ edges: [ScreenGraphEdge]) -> LayeredLayout {
        let isSignedOut = { (id: String) in app.screen(id)?.requirement == nil }
        let pairs = edges.filter { edge in
            edge.isNavigationOnly && app.screen(edge.from)?.kind != .launch
                && edges.contains { $0.from == edge.to && $0.to == edge.from }
                && isSignedOut(edge.from) && isSignedOut(edge.to)
        }
        return LayeredLayout(
            LayerAssignment(
                nodes: app.screens.map(\.id), edges: edges.map { ($0.from, $0.to) },
                groups: app.screens.map(\.tabs).filter { $0.count > 1 }.map(Set.init),
                pairs: pairs.map { ($0.from, $0.to) },
                last: Set(app.screens.map(\.id).filter { !isSignedOut($0) })))
    }

    /// Three columns at most: launch, signed out, signed in.
    private static func columns(of app: App) -> LayeredLayout {
        let columns = [
            app.screens.filter { $0.kind == .launch },
            app.screens.filter { $0.kind != .launch && $0.requirement == nil },
            app.screens.filter { $0.kind != .launch && $0.requirement != nil },
        ]
        return LayeredLayout(columns: columns.filter { !$0.isEmpty }.map { $0.map(\.id) })
    }
}

/// A transition between two screens in the screen graph.
struct ScreenGraphEdge: Hashable {
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
            guard app.screen(edge.from) != nil, app.screen(edge.to) != nil,
                !app.isBetweenDistantTabs(edge)
            else { continue }
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

extension App {
    /// Whether an edge connects two of more than three tabs that are not neighbors. Every tab leads
    /// to every other one, which the graph shows as a chain.
    fileprivate func isBetweenDistantTabs(_ edge: Edge) -> Bool {
        guard edge.kind == .tab, let tabs = screen(edge.from)?.tabs, tabs.count > 3,
            let from = tabs.firstIndex(of: edge.from), let to = tabs.firstIndex(of: edge.to)
        else { return false }
        return abs(from - to) > 1
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
