/// A point of a drawing, in px; y grows downwards.
package struct Point: Hashable, Sendable {
    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// The same point with x and y swapped.
    var transposed: Point { Point(x: y, y: x) }

    /// The distance along horizontal and vertical lines.
    func distance(to other: Point) -> Int { abs(x - other.x) + abs(y - other.y) }
}

/// A rectangle of a drawing, in px.
package struct Box: Sendable, Equatable {
    package var left: Int
    package var top: Int
    package var width: Int
    package var height: Int

    var right: Int { left + width }
    var bottom: Int { top + height }
    var center: Point { Point(x: left + width / 2, y: top + height / 2) }

    /// Whether the interiors of both overlap; that of an empty box is the line it consists of.
    func intersects(_ other: Box) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}

/// A horizontal or vertical line.
struct Segment {
    let start: Point
    let end: Point

    /// A horizontal or vertical line without ends.
    struct Axis: Hashable {
        let isHorizontal: Bool
        let line: Int
    }

    /// The segments of a path.
    static func all(of points: [Point]) -> [Segment] {
        zip(points, points.dropFirst()).map { Segment(start: $0, end: $1) }
    }

    var isHorizontal: Bool { start.y == end.y }
    var length: Int { start.distance(to: end) }
    /// The coordinate that all of its points have.
    private var line: Int { isHorizontal ? start.y : start.x }
    /// The endless line that it is part of.
    var axis: Axis { Axis(isHorizontal: isHorizontal, line: line) }
    private var range: ClosedRange<Int> {
        isHorizontal
            ? min(start.x, end.x)...max(start.x, end.x) : min(start.y, end.y)...max(start.y, end.y)
    }

    /// The segment as an area, `margin` px around it.
    func area(margin: Int) -> Box {
        Box(
            left: min(start.x, end.x) - margin, top: min(start.y, end.y) - margin,
            width: abs(start.x - end.x) + 2 * margin, height: abs(start.y - end.y) + 2 * margin)
    }

    /// How two segments meet.
    enum Contact: Equatable {
        case none
        /// At an end of at least one of the two.
        case touch
        case crossing(Point)
        /// They run along the same line for this length.
        case overlap(Int)
    }

    func contact(with other: Segment) -> Contact {
        if isHorizontal == other.isHorizontal {
            guard line == other.line, range.overlaps(other.range) else { return .none }
            let length = range.clamped(to: other.range).count - 1
            return length == 0 ? .touch : .overlap(length)
        }
        guard range.contains(other.line), other.range.contains(line) else { return .none }
        let isAtEnd = other.line == range.lowerBound || other.line == range.upperBound
        let isAtOtherEnd = line == other.range.lowerBound || line == other.range.upperBound
        guard !isAtEnd, !isAtOtherEnd else { return .touch }
        let point = Point(x: line, y: other.line)
        return .crossing(isHorizontal ? point.transposed : point)
    }
}

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
