import Apps
import Simulator

/// Draws a layout: nodes, orthogonal ways between them, their words.
struct ScreenGraphDrawing {
    let layout: ScreenGraphLayout
    let overlay: ScreenGraphOverlay
    private let width: Int
    private let nodeWidth: Int
    private let grid: RoutingGrid

    private static let nodeHeight = 28
    private static let rowHeight = 56
    /// Room above the first row, for ways that run there.
    private static let topMargin = 24

    /// Room, px.
    struct Dimensions {
        var width: Int
        var nodeWidth: Int
        /// From one column to the next at most.
        var maxColumnPitch: Int

        static let wide = Dimensions(width: 704, nodeWidth: 92, maxColumnPitch: 206)
        static let compact = Dimensions(width: 360, nodeWidth: 86, maxColumnPitch: 206)
        /// A page of its own; no wider than its columns.
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
        let room = width - 2 - nodeWidth
        let pitch = columns > 1 ? min(dimensions.maxColumnPitch, room / (columns - 1)) : 0
        grid = RoutingGrid(
            boxes: layout.positions.mapValues { [nodeWidth] place in
                RoutingGrid.Box(
                    x: 1 + place.column * pitch, y: Self.topMargin + place.lane * Self.rowHeight,
                    w: nodeWidth, h: Self.nodeHeight)
            }, nodeWidth: nodeWidth, nodeHeight: Self.nodeHeight)
    }

    func draw() -> ScreenGraphModel.Drawing {
        let ways = makeDrawnEdges()
        var router = EdgeRouter(grid: grid)
        for way in ways { router.route(way.edge, isStraight: isStraight(way.edge)) }
        // Without ways above the first row it moves up.
        let points = router.routes.values.joined()
        let lift =
            (points.map(\.y).min() ?? Self.topMargin) < Self.topMargin ? 0 : Self.topMargin - 5
        var labels = LabelPlacer(
            width: width, boxes: Array(grid.boxes.values), routes: router.routes)
        var edges: [ScreenGraphModel.Edge] = []
        var words: [ScreenGraphModel.Label] = []
        var drawn = DrawnStrokes()
        // What was taken lies over what was not, and is drawn whole; others
        // end where they join it.
        let order = ways.indices.sorted { (ways[$0].rank, $0) < (ways[$1].rank, $1) }
        for index in order {
            guard let route = router.routes[index] else { continue }
            let way = ways[index]
            let whole = way.isReversed ? Array(route.reversed()) : route
            let stroke = drawn.add(OrthogonalPath.simplified(whole))
            if stroke.points.count > 1 {
                let aim = way.isReversed ? way.edge.from : way.edge.to
                edges.insert(
                    .init(
                        d: OrthogonalPath(
                            points: OrthogonalPath.shortened(
                                stroke.points,
                                by: !stroke.reachesNode ? 0 : aim == overlay.currentScreen ? 7 : 3
                            )
                        ).movedUp(by: lift).d, kind: way.kind, hasArrowhead: stroke.reachesNode),
                    at: 0)
            }
            if let label = labels.placeLabel(
                way.labels, on: index, route: OrthogonalPath.simplified(route),
                isShared: { [stroke] a, b in !stroke.contains(a) && !stroke.contains(b) })
            {
                words.append(
                    .init(
                        x: label.at.x, y: label.at.y - lift, text: label.text,
                        isLastTransition: way.kind == "last"))
            }
        }
        let lowest = points.map(\.y).max() ?? 0
        let bottom = Self.topMargin + (layout.laneCount - 1) * Self.rowHeight + Self.nodeHeight
        return .init(
            width: width, height: max(bottom, lowest) + 5 - lift, nodes: makeNodes(lift: lift),
            edges: edges,
            labels: words)
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

    // MARK: Ways

    /// A way as it stands now.
    private struct DrawnEdge {
        var edge: ScreenGraphEdge
        var kind: String
        /// Whether its arrow stands at the beginning: of two neighbours that
        /// only look at each other one line is drawn.
        var isReversed: Bool
        /// The first that there is room for.
        var labels: [String]

        var rank: Int { kind == "last" ? 0 : kind == "taken" ? 1 : 2 }
    }

    /// Straight ones first, so that others run around them; then ways
    /// forward, then ways back.
    private func makeDrawnEdges() -> [DrawnEdge] {
        var drawn: [DrawnEdge] = []
        for way in layout.edges {
            let back = layout.edges.first { $0.from == way.to && $0.to == way.from }
            // The way back of a neighbour: seen on the line that leads there.
            if way.isNavigationOnly, back != nil, isStraight(way), isBackward(way) { continue }
            let own = kind(way)
            let isLookBack = back?.isNavigationOnly == true && isStraight(way) && !isBackward(way)
            guard let back, isLookBack,
                ["last": 0, "taken": 1][kind(back), default: 2]
                    < ["last": 0, "taken": 1][own, default: 2]
            else {
                drawn.append(
                    DrawnEdge(
                        edge: way, kind: own, isReversed: false,
                        labels: overlay.labels(of: way, reverse: isLookBack ? back : nil)))
                continue
            }
            drawn.append(
                DrawnEdge(
                    edge: way, kind: kind(back), isReversed: true,
                    labels: overlay.labels(of: back, reverse: way)))
        }
        let order = drawn.map { entry in isStraight(entry.edge) ? 0 : isBackward(entry.edge) ? 2 : 1
        }
        return drawn.indices.sorted { (order[$0], $0) < (order[$1], $1) }.map { drawn[$0] }
    }

    private func kind(_ way: ScreenGraphEdge) -> String {
        guard overlay.traversalCount(of: way) > 0 else {
            return overlay.marksMissed ? "missed" : "open"
        }
        return overlay.isLastTransition(way) ? "last" : "taken"
    }

    private func isStraight(_ way: ScreenGraphEdge) -> Bool {
        guard let from = layout.positions[way.from], let to = layout.positions[way.to] else {
            return false
        }
        return layout.isStraight(from, to)
    }

    private func isBackward(_ way: ScreenGraphEdge) -> Bool {
        guard let from = layout.positions[way.from], let to = layout.positions[way.to] else {
            return false
        }
        return to.column < from.column || (to.column == from.column && to.lane < from.lane)
    }
}
