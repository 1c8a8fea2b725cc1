import Apps
import Simulator

/// Draws a screen graph layout: nodes, orthogonal edges and their labels.
struct ScreenGraphDrawing {
    let layout: ScreenGraphLayout
    let overlay: ScreenGraphOverlay
    private let width: Int
    private let nodeWidth: Int
    private let grid: RoutingGrid

    private static let nodeHeight = 28
    private static let rowHeight = 56
    /// The space above the first row, for edges that pass there.
    private static let topMargin = 24

    /// Dimensions in px.
    struct Dimensions {
        var width: Int
        var nodeWidth: Int
        /// The maximum distance between the left sides of neighboring columns.
        var maxColumnPitch: Int

        static let wide = Dimensions(width: 704, nodeWidth: 92, maxColumnPitch: 206)
        static let compact = Dimensions(width: 360, nodeWidth: 86, maxColumnPitch: 206)
        /// For a page of its own; no wider than the columns need.
        static func page(columns: Int) -> Dimensions {
            Dimensions(
                width: min(1_000, (columns - 1) * 292 + 126), nodeWidth: 124, maxColumnPitch: 292)
        }
    }

    init(layout: ScreenGraphLayout, overlay: ScreenGraphOverlay, dimensions: Dimensions) {
        self.layout = layout
        self.overlay = overlay
        width = dimensions.width
        let columns = layout.columnCount
        nodeWidth = dimensions.nodeWidth
        let availableWidth = width - 2 - nodeWidth
        let pitch = columns > 1 ? min(dimensions.maxColumnPitch, availableWidth / (columns - 1)) : 0
        grid = RoutingGrid(
            boxes: layout.positions.mapValues { [nodeWidth] position in
                RoutingGrid.Box(
                    x: 1 + position.column * pitch,
                    y: Self.topMargin + position.lane * Self.rowHeight,
                    w: nodeWidth, h: Self.nodeHeight)
            }, nodeWidth: nodeWidth, nodeHeight: Self.nodeHeight)
    }

    func draw() -> ScreenGraphModel.Drawing {
        let drawnEdges = makeDrawnEdges()
        var router = EdgeRouter(grid: grid)
        for drawnEdge in drawnEdges {
            router.route(drawnEdge.edge, isStraight: isStraight(drawnEdge.edge))
        }
        // Moves everything up if no edge passes above the first row.
        let points = router.routes.values.joined()
        let lift =
            (points.map(\.y).min() ?? Self.topMargin) < Self.topMargin ? 0 : Self.topMargin - 5
        var placer = LabelPlacer(
            width: width, boxes: Array(grid.boxes.values), routes: router.routes)
        var edges: [ScreenGraphModel.Edge] = []
        var labels: [ScreenGraphModel.Label] = []
        var strokes = DrawnStrokes()
        // Traversed edges are drawn on top and in full; others end where they join one.
        let order = drawnEdges.indices.sorted {
            (drawnEdges[$0].rank, $0) < (drawnEdges[$1].rank, $1)
        }
        for index in order {
            guard let route = router.routes[index] else { continue }
            let drawnEdge = drawnEdges[index]
            let path = drawnEdge.isReversed ? Array(route.reversed()) : route
            let stroke = strokes.add(OrthogonalPath.simplified(path))
            if stroke.points.count > 1 {
                let target = drawnEdge.isReversed ? drawnEdge.edge.from : drawnEdge.edge.to
                edges.insert(
                    .init(
                        d: OrthogonalPath(
                            points: OrthogonalPath.shortened(
                                stroke.points,
                                by: !stroke.reachesNode
                                    ? 0 : target == overlay.currentScreen ? 7 : 3
                            )
                        ).movedUp(by: lift).d, kind: drawnEdge.kind,
                        hasArrowhead: stroke.reachesNode),
                    at: 0)
            }
            if let label = placer.placeLabel(
                drawnEdge.labels, on: index, route: OrthogonalPath.simplified(route),
                isShared: { [stroke] a, b in !stroke.contains(a) && !stroke.contains(b) })
            {
                labels.append(
                    .init(
                        x: label.at.x, y: label.at.y - lift, text: label.text,
                        isLastTransition: drawnEdge.kind == "last"))
            }
        }
        let lowest = points.map(\.y).max() ?? 0
        let bottom = Self.topMargin + (layout.laneCount - 1) * Self.rowHeight + Self.nodeHeight
        return .init(
            width: width, height: max(bottom, lowest) + 5 - lift, nodes: makeNodes(lift: lift),
            edges: edges,
            labels: labels)
    }

    // MARK: Nodes

    private func makeNodes(lift: Int) -> [ScreenGraphModel.Node] {
        overlay.app.screens.compactMap { screen in
            guard var box = grid.boxes[screen.id] else { return nil }
            box.y -= lift
            let kind = kind(of: screen.id)
            let count = overlay.visitCounts[screen.id, default: 0]
            return ScreenGraphModel.Node(
                name: screen.id, kind: kind, x: box.x, y: box.y, w: box.w, h: box.h,
                textX: box.x + box.w / 2, textY: box.y + 18,
                visitCount: count > 1 ? String(min(count, 999)) : nil,
                visitCountX: box.x + box.w - (count > 9 ? 14 : 11),
                halo: kind == .current
                    ? .init(haloX: box.x - 4, haloY: box.y - 4, haloW: box.w + 8, haloH: box.h + 8)
                    : nil)
        }
    }

    func kind(of screen: String) -> ScreenGraphModel.Kind {
        if screen == overlay.currentScreen { return .current }
        if overlay.visitCounts[screen] != nil { return .visited }
        return overlay.marksMissed ? .missed : .unreached
    }

    // MARK: Edges

    /// An edge with its traversal status.
    private struct DrawnEdge {
        var edge: ScreenGraphEdge
        var kind: String
        /// Whether the arrowhead is at the start: neighbors that only link to each other share one
        /// line.
        var isReversed: Bool
        /// Alternatives; the first that fits is used.
        var labels: [String]

        var rank: Int { kind == "last" ? 0 : kind == "taken" ? 1 : 2 }
    }

    /// Straight edges first, so that others are routed around them; then forward and backward
    /// edges.
    private func makeDrawnEdges() -> [DrawnEdge] {
        var drawnEdges: [DrawnEdge] = []
        for edge in layout.edges {
            let reverse = layout.edges.first { $0.from == edge.to && $0.to == edge.from }
            // The backward link of neighbors is part of the forward line.
            if edge.isNavigationOnly, reverse != nil, isStraight(edge), isBackward(edge) {
                continue
            }
            let edgeKind = kind(edge)
            let sharesLine =
                reverse?.isNavigationOnly == true && isStraight(edge) && !isBackward(edge)
            guard let reverse, sharesLine,
                ["last": 0, "taken": 1][kind(reverse), default: 2]
                    < ["last": 0, "taken": 1][edgeKind, default: 2]
            else {
                drawnEdges.append(
                    DrawnEdge(
                        edge: edge, kind: edgeKind, isReversed: false,
                        labels: overlay.labels(of: edge, reverse: sharesLine ? reverse : nil)))
                continue
            }
            drawnEdges.append(
                DrawnEdge(
                    edge: edge, kind: kind(reverse), isReversed: true,
                    labels: overlay.labels(of: reverse, reverse: edge)))
        }
        let order = drawnEdges.map { entry in
            isStraight(entry.edge) ? 0 : isBackward(entry.edge) ? 2 : 1
        }
        return drawnEdges.indices.sorted { (order[$0], $0) < (order[$1], $1) }.map {
            drawnEdges[$0]
        }
    }

    private func kind(_ edge: ScreenGraphEdge) -> String {
        guard overlay.traversalCount(of: edge) > 0 else {
            return overlay.marksMissed ? "missed" : "open"
        }
        return overlay.isLastTransition(edge) ? "last" : "taken"
    }

    private func isStraight(_ edge: ScreenGraphEdge) -> Bool {
        guard let from = layout.positions[edge.from], let to = layout.positions[edge.to] else {
            return false
        }
        return layout.isStraight(from, to)
    }

    private func isBackward(_ edge: ScreenGraphEdge) -> Bool {
        guard let from = layout.positions[edge.from], let to = layout.positions[edge.to] else {
            return false
        }
        return to.column < from.column || (to.column == from.column && to.lane < from.lane)
    }
}
