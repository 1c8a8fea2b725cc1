import Apps
import Diagrams
import Simulator

/// Draws a screen graph layout with the usage of its screens and edges.
struct ScreenGraphDrawing {
    let layout: ScreenGraphLayout
    let overlay: ScreenGraphOverlay
    let dimensions: GraphDrawing.Dimensions

    /// An edge's usage, the most important first: `last` led to the current screen.
    private enum EdgeKind: String, CaseIterable {
        case last, taken, open, missed

        /// Unused edges are drawn alike.
        var rank: Int { self == .last ? 0 : self == .taken ? 1 : 2 }
    }

    func draw() -> ScreenGraphModel.Drawing {
        let drawnEdges = makeDrawnEdges()
        let graph = GraphDrawing(layout.layout, drawnEdges.map(\.edge), dimensions: dimensions)
        return .init(
            width: graph.width, height: graph.height, nodes: makeNodes(graph.boxes),
            edges: graph.lines.map { line in
                let (kind, edge) = drawnEdges[line.edge]
                let target = edge.isReversed ? edge.from : edge.to
                var path = line.path
                if line.reachesNode { path.shorten(by: target == overlay.currentScreen ? 7 : 3) }
                return .init(d: path.d, kind: kind.rawValue, hasArrowhead: line.reachesNode)
            },
            labels: graph.labels.map {
                .init(
                    x: $0.position.x, y: $0.position.y, text: $0.text,
                    isLastTransition: drawnEdges[$0.edge].kind == .last)
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

    /// The edges to draw. Neighbors that lead to each other share one line if the backward edge is
    /// a link; it shows the edge that was used last.
    private func makeDrawnEdges() -> [(kind: EdgeKind, edge: GraphDrawing.Edge)] {
        layout.edges.compactMap { edge in
            let reverse = layout.edges.first { $0.from == edge.to && $0.to == edge.from }
            guard let reverse, layout.layout.isStraight(edge.from, edge.to) else {
                return makeDrawnEdge(edge)
            }
            if layout.layout.isBackward(edge.from, edge.to) {
                return edge.isNavigationOnly ? nil : makeDrawnEdge(edge)
            }
            guard reverse.isNavigationOnly else { return makeDrawnEdge(edge) }
            return kind(reverse).rank < kind(edge).rank
                ? makeDrawnEdge(edge, showing: reverse, and: edge)
                : makeDrawnEdge(edge, and: reverse)
        }
    }

    /// `shown` is the edge whose usage and label the line shows, and `other` the opposite one if
    /// the line is drawn for both.
    private func makeDrawnEdge(
        _ edge: ScreenGraphEdge, showing shown: ScreenGraphEdge? = nil,
        and other: ScreenGraphEdge? = nil
    ) -> (kind: EdgeKind, edge: GraphDrawing.Edge) {
        let shown = shown ?? edge
        let kind = kind(shown)
        return (
            kind,
            GraphDrawing.Edge(
                from: edge.from, to: edge.to, isReversed: shown != edge,
                labels: overlay.labels(of: shown, reverse: other), rank: kind.rank)
        )
    }

    private func kind(_ edge: ScreenGraphEdge) -> EdgeKind {
        guard overlay.traversalCount(of: edge) > 0 else {
            return overlay.marksMissed ? .missed : .open
        }
        return overlay.isLastTransition(edge) ? .last : .taken
    }
}

extension GraphDrawing.Dimensions {
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
