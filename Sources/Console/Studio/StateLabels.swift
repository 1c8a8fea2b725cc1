/// Finds the words of the state map's ways a place where nothing lies below
/// them.
struct StateLabels {
    private struct Area {
        var left: Int
        var right: Int
        var top: Int
        var bottom: Int

        func meets(_ other: Area) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    private typealias Leg = (from: StatePath.Point, to: StatePath.Point)

    private let width: Int
    private var taken: [Area]
    private let legs: [(way: Int, leg: Leg)]

    init(width: Int, boxes: [StateGrid.Box], routes: [Int: [StatePath.Point]]) {
        self.width = width
        taken = boxes.map { Area(left: $0.x, right: $0.x + $0.w, top: $0.y, bottom: $0.y + $0.h) }
        legs = routes.flatMap { way, points in
            zip(points, points.dropFirst()).map { (way, ($0, $1)) }
        }
    }

    /// The middle and the base line of the first of `texts` there is room for
    /// on the way `way`; nil for none.
    mutating func place(
        _ texts: [String], on way: Int, route: [StatePath.Point],
        joined: (StatePath.Point, StatePath.Point) -> Bool
    ) -> (at: StatePath.Point, text: String)? {
        for text in texts { if let at = find(text, way, route, joined) { return (at, text) } }
        return nil
    }

    private mutating func find(
        _ text: String, _ way: Int, _ route: [StatePath.Point],
        _ joined: (StatePath.Point, StatePath.Point) -> Bool
    ) -> StatePath.Point? {
        // 11 px text: 6 px a letter is enough in every face of the list.
        let half = text.count * 3 + 2
        let all = zip(route, route.dropFirst()).map { ($0, $1) }
        let own = all.filter { !joined($0, $1) }
        for (from, to) in own + all.filter({ joined($0, $1) }) {
            for point in candidates(from, to, half, straight: all.count == 1) {
                let area = Area(
                    left: point.x - half, right: point.x + half, top: point.y - 10,
                    bottom: point.y + 3)
                guard area.left >= 0, area.right <= width, !taken.contains(where: area.meets),
                    !legs.contains(where: { $0.way != way && crosses($0.leg, area) })
                else { continue }
                taken.append(area)
                return point
            }
        }
        return nil
    }

    /// Places along one leg: above it, on it, beside it.
    private func candidates(
        _ from: StatePath.Point, _ to: StatePath.Point, _ half: Int, straight: Bool
    ) -> [StatePath.Point] {
        if from.y == to.y {
            let rim = straight ? 1 : 4
            let low = min(from.x, to.x) + half + rim
            let high = max(from.x, to.x) - half - rim
            guard low <= high else { return [] }
            let middle = (low + high) / 2
            let xs = [middle, (middle + high) / 2, (low + middle) / 2, high, low]
            let lift = straight ? -7 : 4
            return xs.map { StatePath.Point(x: $0, y: from.y + lift) }
        }
        guard abs(from.y - to.y) >= 16 else { return [] }
        let middle = (from.y + to.y) / 2 + 4
        return [
            StatePath.Point(x: from.x + 6 + half, y: middle),
            StatePath.Point(x: from.x - 6 - half, y: middle),
        ]
    }

    private func crosses(_ leg: Leg, _ area: Area) -> Bool {
        area.meets(
            Area(
                left: min(leg.from.x, leg.to.x) - 2, right: max(leg.from.x, leg.to.x) + 2,
                top: min(leg.from.y, leg.to.y) - 2, bottom: max(leg.from.y, leg.to.y) + 2))
    }
}
