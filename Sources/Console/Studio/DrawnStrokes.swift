/// The lines already drawn in the screen graph, so that none is drawn twice: two overlapping dotted
/// lines would look like a solid one.
struct DrawnStrokes {
    /// The part of an edge that is still to be drawn.
    struct Stroke {
        var points: [OrthogonalPath.Point]
        /// Whether it ends at its node; otherwise it joins another line.
        var reachesNode: Bool

        func contains(_ point: OrthogonalPath.Point) -> Bool { points.contains(point) }
    }

    private struct UnitSegment: Hashable {
        var x: Int
        var y: Int
        var isHorizontal: Bool
    }

    private var drawnSegments: Set<UnitSegment> = []

    /// Cuts off already drawn segments at both ends and returns the rest.
    mutating func add(_ points: [OrthogonalPath.Point]) -> Stroke {
        var pathPoints: [OrthogonalPath.Point] = []
        var segments: [UnitSegment] = []
        for (a, b) in zip(points, points.dropFirst()) {
            let dx = (b.x - a.x).signum()
            let dy = (b.y - a.y).signum()
            var point = a
            while point != b {
                pathPoints.append(point)
                segments.append(
                    UnitSegment(
                        x: dx < 0 ? point.x - 1 : point.x, y: dy < 0 ? point.y - 1 : point.y,
                        isHorizontal: dy == 0)
                )
                point.x += dx
                point.y += dy
            }
        }
        guard let last = points.last else { return Stroke(points: [], reachesNode: false) }
        pathPoints.append(last)
        let newIndices = segments.indices.filter { !drawnSegments.contains(segments[$0]) }
        drawnSegments.formUnion(segments)
        guard let from = newIndices.first, let to = newIndices.last else {
            return Stroke(points: [], reachesNode: false)
        }
        return Stroke(
            points: OrthogonalPath.simplified(Array(pathPoints[from...(to + 1)])),
            reachesNode: to == segments.count - 1)
    }
}
