/// The lines and labels of a graph's edges.
package struct GraphDrawing: Sendable {
    /// How an edge is drawn.
    package struct Edge: Sendable {
        /// Whether the arrowhead is at the start: neighbors that only link to each other share one
        /// line.
        package var isReversed: Bool
        /// Alternatives; the first that fits is used.
        package var labels: [String]
        /// Edges with the lowest rank are drawn on top and in full; others end where they join one.
        package var rank: Int

        package init(isReversed: Bool, labels: [String], rank: Int) {
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

    /// In drawing order.
    package private(set) var lines: [Line] = []
    package private(set) var labels: [Label] = []

    /// Draws the lines of `edges`, which are those of `routes` in the same order, and places their
    /// labels.
    package init(_ routes: GraphRoutes, _ edges: [Edge]) {
        let ranks = Set(edges.map(\.rank)).sorted()
        draw(
            edges, routes,
            order: ranks.flatMap { rank in routes.order.filter { edges[$0].rank == rank } })
    }

    /// Draws lines and places labels; earlier edges are on top.
    private mutating func draw(_ edges: [Edge], _ routes: GraphRoutes, order: [Int]) {
        var placer = LabelPlacer(
            width: routes.width, boxes: Array(routes.boxes.values), routes: routes.routes)
        var drawnLines = DrawnLines()
        for index in order {
            let route = routes.routes[index]
            let line = drawnLines.add(edges[index].isReversed ? route.reversed() : route)
            if let line {
                lines.append(
                    Line(
                        edge: index, path: OrthogonalPath(points: line.points),
                        reachesNode: line.reachesNode))
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
        // The top one is drawn last.
        lines.reverse()
    }
}

/// The lines already drawn, so that none is drawn twice: two overlapping dotted lines would look
/// like a solid one.
struct DrawnLines {
    /// By axis: only segments of one can overlap.
    private var drawn: [Segment.Axis: [Segment]] = [:]

    /// Cuts off already drawn parts at both ends; nil if nothing is left.
    mutating func add(_ corners: [Point]) -> (points: [Point], reachesNode: Bool)? {
        let segments = Segment.all(of: corners)
        let parts = segments.map { $0.parts(notCoveredBy: drawn[$0.axis] ?? []) }
        for segment in segments { drawn[segment.axis, default: []].append(segment) }
        guard let first = parts.firstIndex(where: { !$0.isEmpty }),
            let last = parts.lastIndex(where: { !$0.isEmpty }),
            let start = parts[first].first?.lowerBound, let end = parts[last].last?.upperBound
        else { return nil }
        let inner = first < last ? segments[(first + 1)...last].map(\.start) : []
        let points = [segments[first].point(at: start)] + inner + [segments[last].point(at: end)]
        return (points, last == segments.count - 1 && end == segments[last].length)
    }
}

extension Segment {
    /// The point at a distance from its start.
    fileprivate func point(at distance: Int) -> Point {
        Point(
            x: start.x + (end.x - start.x).signum() * distance,
            y: start.y + (end.y - start.y).signum() * distance)
    }

    /// The parts of it that the others do not cover, in order, as distances from its start.
    fileprivate func parts(notCoveredBy others: [Segment]) -> [Range<Int>] {
        var parts = length > 0 ? [0..<length] : []
        for other in others {
            guard case .overlap = contact(with: other) else { continue }
            let ends = [other.start, other.end].map { end in
                isHorizontal
                    ? (end.x - start.x) * (self.end.x - start.x).signum()
                    : (end.y - start.y) * (self.end.y - start.y).signum()
            }
            let (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
            parts = parts.flatMap { part in
                [
                    part.lowerBound..<max(min(low, part.upperBound), part.lowerBound),
                    min(max(high, part.lowerBound), part.upperBound)..<part.upperBound,
                ].filter { !$0.isEmpty }
            }
        }
        return parts
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
                        !edgeAreas.indices.contains(where: {
                            $0 != edge && edgeAreas[$0].contains(where: area.intersects)
                        })
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
