/// Lines already drawn in the state map, so that none is drawn twice: two
/// dotted lines over each other would look like a solid one.
struct StateStrokes {
    /// What is left to draw of a way.
    struct Stroke {
        var points: [StatePath.Point]
        /// Whether it still ends at its node; else it joins another.
        var hasEnd: Bool

        func contains(_ point: StatePath.Point) -> Bool { points.contains(point) }
    }

    private struct Piece: Hashable {
        var x: Int
        var y: Int
        var isFlat: Bool
    }

    private var drawn: Set<Piece> = []

    /// Cuts off what is drawn already at both ends, and keeps the rest.
    mutating func add(_ points: [StatePath.Point]) -> Stroke {
        var dots: [StatePath.Point] = []
        var pieces: [Piece] = []
        for (a, b) in zip(points, points.dropFirst()) {
            let dx = (b.x - a.x).signum()
            let dy = (b.y - a.y).signum()
            var at = a
            while at != b {
                dots.append(at)
                pieces.append(
                    Piece(x: dx < 0 ? at.x - 1 : at.x, y: dy < 0 ? at.y - 1 : at.y, isFlat: dy == 0)
                )
                at.x += dx
                at.y += dy
            }
        }
        guard let last = points.last else { return Stroke(points: [], hasEnd: false) }
        dots.append(last)
        let fresh = pieces.indices.filter { !drawn.contains(pieces[$0]) }
        drawn.formUnion(pieces)
        guard let from = fresh.first, let to = fresh.last else {
            return Stroke(points: [], hasEnd: false)
        }
        return Stroke(
            points: StatePath.simple(Array(dots[from...(to + 1)])), hasEnd: to == pieces.count - 1)
    }
}
