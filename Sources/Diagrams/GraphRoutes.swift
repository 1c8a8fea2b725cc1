/// The coordinates of a graph: its nodes, and orthogonal routes of its edges, the same for every
/// `GraphDrawing` of it.
package struct GraphRoutes: Sendable {
    /// Dimensions in px.
    package struct Dimensions: Sendable {
        package var width: Int
        package var nodeWidth: Int
        /// The maximum distance between the left sides of neighboring columns.
        package var maxColumnPitch: Int

        package init(width: Int, nodeWidth: Int, maxColumnPitch: Int) {
            self.width = width
            self.nodeWidth = nodeWidth
            self.maxColumnPitch = maxColumnPitch
        }
    }

    package let width: Int
    package let height: Int
    /// The nodes' boxes.
    package let boxes: [String: Box]
    /// The points of each edge.
    let routes: [[Point]]
    /// The edges in the order in which they were routed.
    let order: [Int]

    private static let nodeHeight = 28
    private static let rowHeight = 56
    /// The space above the first row, for edges that pass there.
    private static let topMargin = 24

    package init(
        _ layout: LayeredLayout, _ edges: [(from: String, to: String)], dimensions: Dimensions
    ) {
        width = dimensions.width
        let gaps = max(layout.columnCount - 1, 1)
        let pitch = min(
            dimensions.maxColumnPitch, (dimensions.width - 2 - dimensions.nodeWidth) / gaps)
        let boxes = layout.positions.mapValues { position in
            Box(
                left: 1 + position.column * pitch,
                top: Self.topMargin + position.lane * Self.rowHeight,
                width: dimensions.nodeWidth, height: Self.nodeHeight)
        }
        // Straight edges first, so that others are routed around them; then forward and backward
        // edges.
        let phases = edges.map { edge in
            layout.isStraight(edge.from, edge.to)
                ? 0 : layout.isBackward(edge.from, edge.to) ? 2 : 1
        }
        order = (0...2).flatMap { phase in edges.indices.filter { phases[$0] == phase } }
        var router = EdgeRouter(boxes: boxes)
        var routes = Array(repeating: [Point](), count: edges.count)
        for index in order {
            routes[index] = router.route(
                from: edges[index].from, to: edges[index].to, isExclusive: phases[index] == 0)
        }
        // Moves everything up if no edge passes above the first row.
        let ys = routes.joined().map(\.y)
        let lift = ys.contains { $0 < Self.topMargin } ? 0 : Self.topMargin - 5
        let bottom = Self.topMargin + (layout.laneCount - 1) * Self.rowHeight + Self.nodeHeight
        height = max(bottom, ys.max() ?? 0) + 5 - lift
        self.boxes = boxes.mapValues {
            Box(left: $0.left, top: $0.top - lift, width: $0.width, height: $0.height)
        }
        self.routes = routes.map { $0.map { Point(x: $0.x, y: $0.y - lift) } }
    }
}
