/// A path with right angles and rounded corners, as SVG path data.
package struct OrthogonalPath: Sendable {
    package var points: [Point]
    /// The radius of the corners.
    private let radius: Int

    package init(points: [Point], radius: Int = 6) {
        self.points = points
        self.radius = radius
    }

    /// SVG path data. The radius is reduced where a segment is too short for it.
    package var d: String {
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
        let radius = min(radius, corner.distance(to: other) / 2)
        return Point(
            x: corner.x + (other.x - corner.x).signum() * radius,
            y: corner.y + (other.y - corner.y).signum() * radius)
    }

    /// Shortens the end of the path by `gap`, for the arrowhead.
    package mutating func shorten(by gap: Int) {
        guard points.count > 1, let last = points.popLast(), let before = points.last else {
            return
        }
        points.append(
            Point(
                x: last.x - (last.x - before.x).signum() * gap,
                y: last.y - (last.y - before.y).signum() * gap))
    }
}
