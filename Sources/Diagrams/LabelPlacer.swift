/// Places the labels of edges where they overlap neither nodes, other labels nor other edges.
struct LabelPlacer {
    private let width: Int
    /// The nodes and the placed labels.
    private var occupied: [Box]
    /// The segments of each edge, as areas.
    private let edgeAreas: [[Box]]

    init(width: Int, boxes: [Box], routes: [[Point]]) {
        self.width = width
        occupied = boxes
        edgeAreas = routes.map { Segment.all(of: $0).map { $0.area(margin: 2) } }
    }

    /// Places the first of `texts` that fits on the edge, on one of `segments`, the preferred ones
    /// first. Returns its center and baseline; nil if none fits.
    mutating func placeLabel(_ texts: [String], on edge: Int, segments: [Segment]) -> (
        at: Point, text: String
    )? {
        let otherAreas = edgeAreas.indices.filter { $0 != edge }.flatMap { edgeAreas[$0] }
        let isStraight = edgeAreas[edge].count == 1
        for text in texts {
            // The text is 11 px; 6 px per letter suffice for every font in the list.
            let halfWidth = text.count * 3 + 2
            for segment in segments {
                for point in positions(on: segment, halfWidth, isStraight: isStraight) {
                    let area = Box(
                        left: point.x - halfWidth, top: point.y - 10, width: 2 * halfWidth,
                        height: 13)
                    guard area.left >= 0, area.right <= width,
                        !occupied.contains(where: area.intersects),
                        !otherAreas.contains(where: area.intersects)
                    else { continue }
                    occupied.append(area)
                    return (point, text)
                }
            }
        }
        return nil
    }

    /// Candidate positions along a segment: above it, on it, beside it.
    private func positions(on segment: Segment, _ halfWidth: Int, isStraight: Bool) -> [Point] {
        let (from, to) = (segment.start, segment.end)
        if segment.isHorizontal {
            let margin = isStraight ? 1 : 4
            let low = min(from.x, to.x) + halfWidth + margin
            let high = max(from.x, to.x) - halfWidth - margin
            guard low <= high else { return [] }
            let middle = (low + high) / 2
            let xs = [middle, (middle + high) / 2, (low + middle) / 2, high, low]
            return xs.map { Point(x: $0, y: from.y + (isStraight ? -7 : 4)) }
        }
        guard segment.length >= 16 else { return [] }
        let middle = (from.y + to.y) / 2 + 4
        return [-1, 1].map { Point(x: from.x - $0 * (6 + halfWidth), y: middle) }
    }
}
