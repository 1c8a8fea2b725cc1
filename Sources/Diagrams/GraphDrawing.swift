/// A layout of a graph with its coordinates: nodes, orthogonal edges and their labels.
package struct GraphDrawing: Sendable {
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

    /// A routed line between two nodes.
    package struct Edge: Sendable {
        package var from: String
        package var to: String
        /// Whether the arrowhead is at the start: neighbors that only link to each other share one
        /// line.
        package var isReversed: Bool
        /// Alternatives; the first that fits is used.
        package var labels: [String]
        /// Edges with the lowest rank are drawn on top and in full; others end where they join one.
        package var rank: Int

        package init(from: String, to: String, isReversed: Bool, labels: [String], rank: Int) {
            self.from = from
            self.to = to
            self.isReversed = isReversed
            self.labels = labels
            self.rank = rank
        }
    }

    /// The drawn part of an edge.
    package struct Line: Sendable {
        /// An index into the edges.
        package var edge: Int
        package var path: OrthogonalPath
        /// Whether it ends at its node; otherwise it joins another line.
        package var reachesNode: Bool
    }

    /// An edge's text.
    package struct Label: Sendable {
        package var edge: Int
        /// Its center and baseline.
        package var position: Point
        package var text: String
    }

    package let width: Int
    package let height: Int
    /// The nodes' boxes.
    package private(set) var boxes: [String: Box]
    /// In drawing order.
    package private(set) var lines: [Line] = []
    package private(set) var labels: [Label] = []

    private static let nodeHeight = 28
    private static let rowHeight = 56
    /// The space above the first row, for edges that pass there.
    private static let topMargin = 24

    package init(_ layout: LayeredLayout, _ edges: [Edge], dimensions: Dimensions) {
        width = dimensions.width
        let gaps = max(layout.columnCount - 1, 1)
        let pitch = min(
            dimensions.maxColumnPitch, (dimensions.width - 2 - dimensions.nodeWidth) / gaps)
        boxes = layout.positions.mapValues { position in
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
        let order = (0...2).flatMap { phase in edges.indices.filter { phases[$0] == phase } }
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
        boxes = boxes.mapValues {
            Box(left: $0.left, top: $0.top - lift, width: $0.width, height: $0.height)
        }
        routes = routes.map { $0.map { Point(x: $0.x, y: $0.y - lift) } }
        let ranks = Set(edges.map(\.rank)).sorted()
        draw(
            edges, routes, order: ranks.flatMap { rank in order.filter { edges[$0].rank == rank } })
    }

    /// Draws lines and places labels; earlier edges are on top.
    private mutating func draw(_ edges: [Edge], _ routes: [[Point]], order: [Int]) {
        var placer = LabelPlacer(width: width, boxes: Array(boxes.values), routes: routes)
        var drawnLines = DrawnLines()
        for index in order {
            let route = routes[index]
            let line = drawnLines.add(edges[index].isReversed ? route.reversed() : route)
            if let line {
                lines.insert(
                    Line(
                        edge: index, path: OrthogonalPath(points: line.points),
                        reachesNode: line.reachesNode), at: 0)
            }
            // Segments of its own first, then those it shares with another edge.
            let segments = Segment.all(of: route)
            let isOwn = segments.map { segment in
                line?.points.contains { $0 == segment.start || $0 == segment.end } ?? false
            }
            let preferred = [true, false].flatMap { own in
                zip(segments, isOwn).filter { $0.1 == own }.map(\.0)
            }
            if let label = placer.placeLabel(edges[index].labels, on: index, segments: preferred) {
                labels.append(Label(edge: index, position: label.at, text: label.text))
            }
        }
    }
}

/// The lines already drawn, so that none is drawn twice: two overlapping dotted lines would look
/// like a solid one.
private struct DrawnLines {
    /// Steps of 1 px, each as the sum of its two points.
    private var steps: Set<Point> = []

    /// Cuts off already drawn parts at both ends; nil if nothing is left.
    mutating func add(_ corners: [Point]) -> (points: [Point], reachesNode: Bool)? {
        let points = Segment.all(of: corners).flatMap(\.points) + corners.suffix(1)
        let newSteps = zip(points, points.dropFirst()).map { Point(x: $0.x + $1.x, y: $0.y + $1.y) }
        let newIndices = newSteps.indices.filter { !steps.contains(newSteps[$0]) }
        steps.formUnion(newSteps)
        guard let first = newIndices.first, let last = newIndices.last else { return nil }
        let inner = points[(first + 1)...last].filter(corners.contains)
        return ([points[first]] + inner + [points[last + 1]], last == newSteps.count - 1)
    }
}

extension Segment {
    /// The points along it, 1 px apart, without its end.
    fileprivate var points: [Point] {
        let (dx, dy) = ((end.x - start.x).signum(), (end.y - start.y).signum())
        return (0..<length).map { Point(x: start.x + dx * $0, y: start.y + dy * $0) }
    }
}

/// Places the labels of edges where they overlap neither nodes, other labels nor other edges.
struct LabelPlacer {
    private let width: Int
    /// The nodes and the placed labels.
    private var occupied: [Box]
    /// The segments of each edge, as areas.
    private let edgeAreas: [[Box]]

    init(width: Int, boxes: [Box], routes: [[Point]]) {
        self.width = width
        occupied = boxes
        edgeAreas = routes.map { Segment.all(of: $0).map { $0.area(margin: 2) } }
    }

    /// Places the first of `texts` that fits on the edge, on one of `segments`, the preferred ones
    /// first. Returns its center and baseline; nil if none fits.
    mutating func placeLabel(_ texts: [String], on edge: Int, segments: [Segment]) -> (
        at: Point, text: String
    )? {
        let otherAreas = edgeAreas.indices.filter { $0 != edge }.flatMap { edgeAreas[$0] }
        let isStraight = edgeAreas[edge].count == 1
        for text in texts {
            // The text is 11 px; 6 px per letter suffice for every font in the list.
            let halfWidth = text.count * 3 + 2
            for segment in segments {
                for point in positions(on: segment, halfWidth, isStraight: isStraight) {
                    let area = Box(
                        left: point.x - halfWidth, top: point.y - 10, width: 2 * halfWidth,
                        height: 13)
                    guard area.left >= 0, area.right <= width,
                        !occupied.contains(where: area.intersects),
                        !otherAreas.contains(where: area.intersects)
                    else { continue }
                    occupied.append(area)
                    return (point, text)
                }
            }
        }
        return nil
    }

    /// Candidate positions along a segment: above it, on it, beside it.
    private func positions(on segment: Segment, _ halfWidth: Int, isStraight: Bool) -> [Point] {
        let (from, to) = (segment.start, segment.end)
        if segment.isHorizontal {
            let margin = isStraight ? 1 : 4
            let low = min(from.x, to.x) + halfWidth + margin
            let high = max(from.x, to.x) - halfWidth - margin
            guard low <= high else { return [] }
            let middle = (low + high) / 2
            let xs = [middle, (middle + high) / 2, (low + middle) / 2, high, low]
            return xs.map { Point(x: $0, y: from.y + (isStraight ? -7 : 4)) }
        }
        guard segment.length >= 16 else { return [] }
        let middle = (from.y + to.y) / 2 + 4
        return [-1, 1].map { Point(x: from.x - $0 * (6 + halfWidth), y: middle) }
    }
}
