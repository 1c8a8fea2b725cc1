/// Finds the words of the state map's ways a place where nothing lies below
/// them.
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
        segments = routes.flatMap { way, points in
            zip(points, points.dropFirst()).map { (way, ($0, $1)) }
        }
    }

    /// The middle and the base line of the first of `texts` there is room for
    /// on the way `way`; nil for none.
    mutating func placeLabel(
        _ texts: [String], on way: Int, route: [OrthogonalPath.Point],
        isShared: (OrthogonalPath.Point, OrthogonalPath.Point) -> Bool
    ) -> (at: OrthogonalPath.Point, text: String)? {
        for text in texts {
            if let at = findPosition(text, way, route, isShared) { return (at, text) }
        }
        return nil
    }

    private mutating func findPosition(
        _ text: String, _ way: Int, _ route: [OrthogonalPath.Point],
        _ joined: (OrthogonalPath.Point, OrthogonalPath.Point) -> Bool
    ) -> OrthogonalPath.Point? {
        // 11 px text: 6 px a letter is enough in every face of the list.
        let half = text.count * 3 + 2
        let all = zip(route, route.dropFirst()).map { ($0, $1) }
        let own = all.filter { !joined($0, $1) }
        for (from, to) in own + all.filter({ joined($0, $1) }) {
            for point in candidatePositions(from, to, half, straight: all.count == 1) {
                let area = LabelArea(
                    left: point.x - half, right: point.x + half, top: point.y - 10,
                    bottom: point.y + 3)
                guard area.left >= 0, area.right <= width,
                    !occupied.contains(where: area.intersects),
                    !segments.contains(where: { $0.way != way && crosses($0.leg, area) })
                else { continue }
                occupied.append(area)
                return point
            }
        }
        return nil
    }

    /// Places along one leg: above it, on it, beside it.
    private func candidatePositions(
        _ from: OrthogonalPath.Point, _ to: OrthogonalPath.Point, _ half: Int, straight: Bool
    ) -> [OrthogonalPath.Point] {
        if from.y == to.y {
            let rim = straight ? 1 : 4
            let low = min(from.x, to.x) + half + rim
            let high = max(from.x, to.x) - half - rim
            guard low <= high else { return [] }
            let middle = (low + high) / 2
            let xs = [middle, (middle + high) / 2, (low + middle) / 2, high, low]
            let lift = straight ? -7 : 4
            return xs.map { OrthogonalPath.Point(x: $0, y: from.y + lift) }
        }
        guard abs(from.y - to.y) >= 16 else { return [] }
        let middle = (from.y + to.y) / 2 + 4
        return [
            OrthogonalPath.Point(x: from.x + 6 + half, y: middle),
            OrthogonalPath.Point(x: from.x - 6 - half, y: middle),
        ]
    }

    private func crosses(_ leg: Segment, _ area: LabelArea) -> Bool {
        area.intersects(
            LabelArea(
                left: min(leg.from.x, leg.to.x) - 2, right: max(leg.from.x, leg.to.x) + 2,
                top: min(leg.from.y, leg.to.y) - 2, bottom: max(leg.from.y, leg.to.y) + 2))
    }
}
