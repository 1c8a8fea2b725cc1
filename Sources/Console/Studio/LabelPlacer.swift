/// Places the labels of the screen graph's edges where they overlap neither nodes, other labels nor
/// other edges.
struct LabelPlacer {
    private struct LabelArea {
        var left: Int
        var right: Int
        var top: Int
        var bottom: Int

        func intersects(_ other: LabelArea) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    private typealias Segment = (from: OrthogonalPath.Point, to: OrthogonalPath.Point)

    private let width: Int
    private var occupied: [LabelArea]
    private let segments: [(way: Int, leg: Segment)]

    init(width: Int, boxes: [RoutingGrid.Box], routes: [Int: [OrthogonalPath.Point]]) {
        self.width = width
        occupied = boxes.map {
            LabelArea(left: $0.x, right: $0.x + $0.w, top: $0.y, bottom: $0.y + $0.h)
        }
        segments = routes.flatMap { edgeIndex, points in
            zip(points, points.dropFirst()).map { (edgeIndex, ($0, $1)) }
        }
    }

    /// Places the first of `texts` that fits on the edge. Returns its center and baseline; nil if
    /// none fits.
    mutating func placeLabel(
        _ texts: [String], on edgeIndex: Int, route: [OrthogonalPath.Point],
        isShared: (OrthogonalPath.Point, OrthogonalPath.Point) -> Bool
    ) -> (at: OrthogonalPath.Point, text: String)? {
        for text in texts {
            if let position = findPosition(text, edgeIndex, route, isShared) {
                return (position, text)
            }
        }
        return nil
    }

    private mutating func findPosition(
        _ text: String, _ edgeIndex: Int, _ route: [OrthogonalPath.Point],
        _ isShared: (OrthogonalPath.Point, OrthogonalPath.Point) -> Bool
    ) -> OrthogonalPath.Point? {
        // The text is 11 px; 6 px per letter suffice for every font in the list.
        let halfWidth = text.count * 3 + 2
        let allSegments = zip(route, route.dropFirst()).map { ($0, $1) }
        let exclusive = allSegments.filter { !isShared($0, $1) }
        for (from, to) in exclusive + allSegments.filter({ isShared($0, $1) }) {
            for point in candidatePositions(from, to, halfWidth, straight: allSegments.count == 1) {
                let area = LabelArea(
                    left: point.x - halfWidth, right: point.x + halfWidth, top: point.y - 10,
                    bottom: point.y + 3)
                guard area.left >= 0, area.right <= width,
                    !occupied.contains(where: area.intersects),
                    !segments.contains(where: { $0.way != edgeIndex && crosses($0.leg, area) })
                else { continue }
                occupied.append(area)
                return point
            }
        }
        return nil
    }

    /// Candidate positions along a segment: above it, on it, beside it.
    private func candidatePositions(
        _ from: OrthogonalPath.Point, _ to: OrthogonalPath.Point, _ halfWidth: Int, straight: Bool
    ) -> [OrthogonalPath.Point] {
        if from.y == to.y {
            let margin = straight ? 1 : 4
            let low = min(from.x, to.x) + halfWidth + margin
            let high = max(from.x, to.x) - halfWidth - margin
            guard low <= high else { return [] }
            let middle = (low + high) / 2
            let xs = [middle, (middle + high) / 2, (low + middle) / 2, high, low]
            let offset = straight ? -7 : 4
            return xs.map { OrthogonalPath.Point(x: $0, y: from.y + offset) }
        }
        guard abs(from.y - to.y) >= 16 else { return [] }
        let middle = (from.y + to.y) / 2 + 4
        return [
            OrthogonalPath.Point(x: from.x + 6 + halfWidth, y: middle),
            OrthogonalPath.Point(x: from.x - 6 - halfWidth, y: middle),
        ]
    }

    private func crosses(_ segment: Segment, _ area: LabelArea) -> Bool {
        area.intersects(
            LabelArea(
                left: min(segment.from.x, segment.to.x) - 2,
                right: max(segment.from.x, segment.to.x) + 2,
                top: min(segment.from.y, segment.to.y) - 2,
                bottom: max(segment.from.y, segment.to.y) + 2))
    }
}
