/// Lines already drawn in the state map, so that none is drawn twice: two
/// dotted lines over each other would look like a solid one.
struct DrawnStrokes {
    /// What is left to draw of a way.
    struct Stroke {
        var points: [OrthogonalPath.Point]
        /// Whether it still ends at its node; else it joins another.
        var reachesNode: Bool

        func contains(_ point: OrthogonalPath.Point) -> Bool { points.contains(point) }
    }

    private struct UnitSegment: Hashable {
        var x: Int
        var y: Int
        var isHorizontal: Bool
    }

    private var drawnSegments: Set<UnitSegment> = []

    /// Cuts off what is drawn already at both ends, and keeps the rest.
    mutating func add(_ points: [OrthogonalPath.Point]) -> Stroke {
        var dots: [OrthogonalPath.Point] = []
        var pieces: [UnitSegment] = []
        for (a, b) in zip(points, points.dropFirst()) {
            let dx = (b.x - a.x).signum()
            let dy = (b.y - a.y).signum()
            var at = a
            while at != b {
                dots.append(at)
                pieces.append(
                    UnitSegment(
                        x: dx < 0 ? at.x - 1 : at.x, y: dy < 0 ? at.y - 1 : at.y,
                        isHorizontal: dy == 0)
                )
                at.x += dx
                at.y += dy
            }
        }
        guard let last = points.last else { return Stroke(points: [], reachesNode: false) }
        dots.append(last)
        let fresh = pieces.indices.filter { !drawnSegments.contains(pieces[$0]) }
        drawnSegments.formUnion(pieces)
        guard let from = fresh.first, let to = fresh.last else {
            return Stroke(points: [], reachesNode: false)
        }
        return Stroke(
            points: OrthogonalPath.simplified(Array(dots[from...(to + 1)])),
            reachesNode: to == pieces.count - 1)
    }
}
