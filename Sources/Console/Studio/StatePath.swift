/// A way drawn with right angles and rounded corners, as SVG path data.
struct StatePath {
    struct Point: Equatable {
        var x: Int
        var y: Int
    }

    var points: [Point]

    /// Corners of 6, smaller where a leg is too short for it.
    var d: String {
        guard let first = points.first, let last = points.last else {
            return ""
        }
        var text = "M\(first.x) \(first.y)"
        for index in points.indices.dropFirst().dropLast() {
            let corner = points[index]
            let before = Self.near(corner, points[index - 1])
            let after = Self.near(corner, points[index + 1])
            text += "L\(before.x) \(before.y)"
            text += "Q\(corner.x) \(corner.y) \(after.x) \(after.y)"
        }
        return text + "L\(last.x) \(last.y)"
    }

    /// The point on the way to `other`, as far as the corner is round.
    private static func near(_ corner: Point, _ other: Point) -> Point {
        let dx = other.x - corner.x
        let dy = other.y - corner.y
        let radius = min(6, max(abs(dx), abs(dy)) / 2)
        return Point(
            x: corner.x + dx.signum() * radius,
            y: corner.y + dy.signum() * radius)
    }
}
