/// The grid lines that edges of the screen graph may use.
///
/// They pass through the center of each row, up to three between rows and between columns, and
/// through the three ports on a node's top and bottom.
struct RoutingGrid {
    /// An intersection of two grid lines, by indices into `xs` and `ys`.
    struct Intersection: Hashable {
        var x: Int
        var y: Int
    }

    /// A node's rectangle, in px.
    struct Box {
        var x: Int
        var y: Int
        var w: Int
        var h: Int
        var center: OrthogonalPath.Point { OrthogonalPath.Point(x: x + w / 2, y: y + h / 2) }
    }

    let boxes: [String: Box]
    let xs: [Int]
    let ys: [Int]
    /// Lines beside the center of a gap, used if the center is occupied.
    let secondaryXs: Set<Int>
    let secondaryYs: Set<Int>
    private let occupied: Set<Intersection>

    /// The offsets of the ports on a node's top and bottom from its center.
    static let portOffsets = [0, 24, -24]

    init(boxes: [String: Box], nodeWidth: Int, nodeHeight: Int) {
        let lefts = Set(boxes.values.map(\.x)).sorted()
        let tops = Set(boxes.values.map(\.y)).sorted()
        var xs: Set<Int> = []
        var ys: Set<Int> = []
        var secondaryXs: Set<Int> = []
        var secondaryYs: Set<Int> = []
        for left in lefts {
            for offset in Self.portOffsets { xs.insert(left + nodeWidth / 2 + offset) }
        }
        for (left, next) in zip(lefts, lefts.dropFirst()) {
            let gap = next - left - nodeWidth
            let middle = left + nodeWidth + gap / 2
            xs.insert(middle)
            for step in [-8, 8] where gap >= 40 { secondaryXs.insert(middle + step) }
        }
        for top in tops {
            ys.insert(top + nodeHeight / 2)
            ys.insert(top + nodeHeight + 14)
            secondaryYs.insert(top + nodeHeight + 8)
            secondaryYs.insert(top + nodeHeight + 20)
        }
        if let top = tops.first {
            ys.insert(top - 14)
            secondaryYs.insert(top - 20)
        }
        self.boxes = boxes
        self.secondaryXs = secondaryXs
        self.secondaryYs = secondaryYs
        self.xs = xs.union(secondaryXs).sorted()
        self.ys = ys.union(secondaryYs).sorted()
        var occupied: Set<Intersection> = []
        for (column, x) in self.xs.enumerated() {
            for (row, y) in self.ys.enumerated()
            where boxes.values.contains(where: {
                x >= $0.x && x <= $0.x + $0.w && y >= $0.y && y <= $0.y + $0.h
            }) { occupied.insert(Intersection(x: column, y: row)) }
        }
        self.occupied = occupied
    }

    func point(_ intersection: Intersection) -> OrthogonalPath.Point {
        OrthogonalPath.Point(x: xs[intersection.x], y: ys[intersection.y])
    }

    func isFree(_ intersection: Intersection) -> Bool {
        xs.indices.contains(intersection.x) && ys.indices.contains(intersection.y)
            && !occupied.contains(intersection)
    }

    /// A point on a node's border where an edge may start or end, with the first intersection
    /// outside.
    struct Port: Hashable {
        enum Side: CaseIterable { case right, down, left, up }
        var side: Side
        /// From the center of the side.
        var offset: Int
        var point: OrthogonalPath.Point
        var exit: Intersection

        static func == (lhs: Port, rhs: Port) -> Bool { lhs.point == rhs.point }
        func hash(into hasher: inout Hasher) { hasher.combine(point) }
    }

    func ports(of id: String) -> [Port] {
        guard let box = boxes[id] else { return [] }
        let middle = box.center
        var ports: [Port] = []
        if let row = ys.firstIndex(of: middle.y) {
            if let x = xs.firstIndex(where: { $0 > box.x + box.w }) {
                ports.append(
                    Port(
                        side: .right, offset: 0, point: .init(x: box.x + box.w, y: middle.y),
                        exit: Intersection(x: x, y: row)))
            }
            if let x = xs.lastIndex(where: { $0 < box.x }) {
                ports.append(
                    Port(
                        side: .left, offset: 0, point: .init(x: box.x, y: middle.y),
                        exit: Intersection(x: x, y: row)))
            }
        }
        for offset in Self.portOffsets {
            guard let x = xs.firstIndex(of: middle.x + offset) else { continue }
            if let y = ys.firstIndex(where: { $0 > box.y + box.h }) {
                ports.append(
                    Port(
                        side: .down, offset: offset, point: .init(x: xs[x], y: box.y + box.h),
                        exit: Intersection(x: x, y: y)))
            }
            if let y = ys.lastIndex(where: { $0 < box.y }) {
                ports.append(
                    Port(
                        side: .up, offset: offset, point: .init(x: xs[x], y: box.y),
                        exit: Intersection(x: x, y: y)))
            }
        }
        return ports.filter { isFree($0.exit) }
    }
}
