/// A path with right angles and rounded corners, as SVG path data.
struct OrthogonalPath {
    struct Point: Hashable {
        var x: Int
        var y: Int
    }

    var points: [Point]
    /// The radius of the corners.
    var radius = 6

    /// SVG path data. The radius is reduced where a segment is too short for it.
    var d: String {
        guard let first = points.first, let last = points.last else { return "" }
        var text = "M\(first.x) \(first.y)"
        for index in points.indices.dropFirst().dropLast() {
            let corner = points[index]
            let before = cornerEndpoint(corner, towards: points[index - 1])
            let after = cornerEndpoint(corner, towards: points[index + 1])
            text += "L\(before.x) \(before.y)"
            text += "Q\(corner.x) \(corner.y) \(after.x) \(after.y)"
        }
        return text + "L\(last.x) \(last.y)"
    }

    /// The end of the corner's curve in the direction of `other`.
    private func cornerEndpoint(_ corner: Point, towards other: Point) -> Point {
        let dx = other.x - corner.x
        let dy = other.y - corner.y
        let radius = min(self.radius, max(abs(dx), abs(dy)) / 2)
        return Point(x: corner.x + dx.signum() * radius, y: corner.y + dy.signum() * radius)
    }

    func movedUp(by lift: Int) -> OrthogonalPath {
        OrthogonalPath(points: points.map { Point(x: $0.x, y: $0.y - lift) }, radius: radius)
    }

    /// Removes all points but the ends and the corners.
    static func simplified(_ points: [Point]) -> [Point] {
        var result: [Point] = []
        for point in points where point != result.last {
            if result.count > 1 {
                let a = result[result.count - 2]
                let b = result[result.count - 1]
                if (a.x == b.x && b.x == point.x) || (a.y == b.y && b.y == point.y) {
                    result.removeLast()
                }
            }
            result.append(point)
        }
        return result
    }

    /// Shortens the end of the path by `gap`, for the arrowhead.
    static func shortened(_ points: [Point], by gap: Int) -> [Point] {
        guard points.count > 1, let last = points.last else { return points }
        let before = points[points.count - 2]
        var end = last
        end.x -= (last.x - before.x).signum() * gap
        end.y -= (last.y - before.y).signum() * gap
        return points.dropLast() + [end]
    }
}
