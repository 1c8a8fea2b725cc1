import Apps
import Diagrams
import Simulator

/// Draws a screen graph layout with the usage of its screens and edges.
struct ScreenGraphDrawing {
    let layout: ScreenGraphLayout
    let overlay: ScreenGraphOverlay

    /// An edge's usage, the most important first: `last` led to the current screen.
    private enum EdgeKind: String, CaseIterable {
        case last, taken, open, missed

        /// Unused edges are drawn alike.
        var rank: Int { self == .last ? 0 : self == .taken ? 1 : 2 }
    }

    func draw() -> ScreenGraphModel.Drawing {
        let edges = layout.lines.map(makeEdge)
        let routes = layout.routes
        let graph = GraphDrawing(routes, edges.map(\.edge))
        return .init(
            width: routes.width, height: routes.height, nodes: makeNodes(routes.boxes),
            edges: graph.lines.map { line in
                let (kind, edge) = edges[line.edge]
                let drawnEdge = layout.lines[line.edge].edge
                let target = edge.isReversed ? drawnEdge.from : drawnEdge.to
                var path = line.path
                if line.reachesNode { path.shorten(by: target == overlay.currentScreen ? 7 : 3) }
                return .init(d: path.d, kind: kind.rawValue, hasArrowhead: line.reachesNode)
            },
            labels: graph.labels.map {
                .init(
                    x: $0.position.x, y: $0.position.y, text: $0.text,
                    isLastTransition: edges[$0.edge].kind == .last)
            })
    }

    private func makeNodes(_ boxes: [String: Box]) -> [ScreenGraphModel.Node] {
        overlay.app.screens.compactMap { screen in
            guard let box = boxes[screen.id] else { return nil }
            let kind = kind(of: screen.id)
            let count = overlay.visitCounts[screen.id, default: 0]
            return ScreenGraphModel.Node(
                name: screen.id, kind: kind, x: box.left, y: box.top, w: box.width, h: box.height,
                centerX: box.width / 2, visitCount: count > 1 ? String(min(count, 999)) : nil,
                visitCountX: box.width - (count > 9 ? 14 : 11),
                haloWidth: kind == .current ? box.width + 8 : nil)
        }
    }

    func kind(of screen: String) -> ScreenGraphModel.Kind {
        if screen == overlay.currentScreen { return .current }
        if overlay.visitCounts[screen] != nil { return .visited }
        return overlay.marksMissed ? .missed : .unreached
    }

    // MARK: Edges

    /// A line for both directions shows the one that was used last.
    private func makeEdge(_ line: ScreenGraphLayout.Line) -> (
        kind: EdgeKind, edge: GraphDrawing.Edge
    ) {
        var (shown, other) = (line.edge, line.opposite)
        if let opposite = other, kind(opposite).rank < kind(shown).rank {
            (shown, other) = (opposite, shown)
        }
        let kind = kind(shown)
        return (
            kind,
            GraphDrawing.Edge(
                isReversed: shown != line.edge, labels: overlay.labels(of: shown, reverse: other),
                rank: kind.rank)
        )
    }

    private func kind(_ edge: ScreenGraphEdge) -> EdgeKind {
        guard overlay.traversalCount(of: edge) > 0 else {
            return overlay.marksMissed ? .missed : .open
        }
        return overlay.isLastTransition(edge) ? .last : .taken
    }
}

extension GraphRoutes.Dimensions {
    static let wide = Self(width: 704, nodeWidth: 92, maxColumnPitch: 206)
    static let compact = Self(width: 360, nodeWidth: 86, maxColumnPitch: 206)
    /// For a page of its own; no wider than the columns need.
    static func page(columns: Int) -> Self {
        Self(width: min(1_000, (columns - 1) * 292 + 126), nodeWidth: 124, maxColumnPitch: 292)
    }
}

/// The usage of an app's screens for a drawing: visited screens and traversed edges.
struct ScreenGraphOverlay {
    var app: App
    /// The screen shown now.
    var currentScreen: String?
    /// The number of visits by screen.
    var visitCounts: [String: Int]
    var transitions: [Transition]
    var lastTransition: Transition?
    /// Whether unvisited screens and untraversed edges are marked as missed.
    var marksMissed = false
    /// Whether labels include traversal counts.
    var showsCounts = false

    func traversalCount(of edge: ScreenGraphEdge) -> Int {
        transitions.first { $0.from == edge.from && $0.to == edge.to }?.count ?? 0
    }

    func isLastTransition(_ edge: ScreenGraphEdge) -> Bool {
        lastTransition?.from == edge.from && lastTransition?.to == edge.to
    }

    /// Candidate labels of an edge, the longest first; `reverse` is the backward edge if one line
    /// is drawn for both.
    func labels(of edge: ScreenGraphEdge, reverse: ScreenGraphEdge?) -> [String] {
        var labels: [String] = []
        if !edge.label.isEmpty { labels.append(edge.label) }
        // `Back to Login`: the arrow shows the target.
        if let to = edge.label.firstRange(of: " to ") {
            labels.append(String(edge.label[..<to.lowerBound]))
        }
        guard showsCounts else { return labels }
        let counts = [traversalCount(of: edge), reverse.map(traversalCount) ?? 0]
        guard counts != [0, 0] else { return [] }
        // `1 ⇄ 0`: for a line in both directions, traversed only forward.
        let number = reverse == nil ? "\(counts[0])" : "\(counts[0]) ⇄ \(counts[1])"
        return labels.map { "\($0) \(number)" } + [number]
    }
}

extension ScreenGraphOverlay {
    init(_ status: AppStatus) {
        app = status.app
        visitCounts = Dictionary(status.visits.map { ($0.screen, $0.count) }, uniquingKeysWith: +)
        currentScreen = visitCounts.isEmpty ? nil : status.screen
        transitions = status.transitions
        lastTransition = status.lastTransition
    }
}
