/// The lines ways may run along in the state map: through the middle of each
/// row, up to three between rows and between columns, three doors per node.
struct RoutingGrid {
    /// A crossing of two lines, by its index in `xs` and `ys`.
    struct Intersection: Hashable {
        var x: Int
        var y: Int
    }

    /// A node's rectangle, px.
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
    /// Lines that run beside the middle of a gap: taken when that is.
    let secondaryXs: Set<Int>
    let secondaryYs: Set<Int>
    private let occupied: Set<Intersection>

    /// How far the outer doors of a node's upper and lower edge stand from its
    /// middle.
    static let portOffsets = [0, 24, -24]

    init(boxes: [String: Box], nodeWidth: Int, nodeHeight: Int) {
        let lefts = Set(boxes.values.map(\.x)).sorted()
        let tops = Set(boxes.values.map(\.y)).sorted()
        var xs: Set<Int> = []
        var ys: Set<Int> = []
        var asideX: Set<Int> = []
        var asideY: Set<Int> = []
        for left in lefts {
            for door in Self.portOffsets { xs.insert(left + nodeWidth / 2 + door) }
        }
        for (left, next) in zip(lefts, lefts.dropFirst()) {
            let gap = next - left - nodeWidth
            let middle = left + nodeWidth + gap / 2
            xs.insert(middle)
            for step in [-8, 8] where gap >= 40 { asideX.insert(middle + step) }
        }
        for top in tops {
            ys.insert(top + nodeHeight / 2)
            ys.insert(top + nodeHeight + 14)
            asideY.insert(top + nodeHeight + 8)
            asideY.insert(top + nodeHeight + 20)
        }
        if let top = tops.first {
            ys.insert(top - 14)
            asideY.insert(top - 20)
        }
        self.boxes = boxes
        self.secondaryXs = asideX
        self.secondaryYs = asideY
        self.xs = xs.union(asideX).sorted()
        self.ys = ys.union(asideY).sorted()
        var inside: Set<Intersection> = []
        for (column, x) in self.xs.enumerated() {
            for (row, y) in self.ys.enumerated()
            where boxes.values.contains(where: {
                x >= $0.x && x <= $0.x + $0.w && y >= $0.y && y <= $0.y + $0.h
            }) { inside.insert(Intersection(x: column, y: row)) }
        }
        self.occupied = inside
    }

    func point(_ crossing: Intersection) -> OrthogonalPath.Point {
        OrthogonalPath.Point(x: xs[crossing.x], y: ys[crossing.y])
    }

    func isFree(_ crossing: Intersection) -> Bool {
        xs.indices.contains(crossing.x) && ys.indices.contains(crossing.y)
            && !occupied.contains(crossing)
    }

    /// A place on a node's edge where a way may begin or end, and the first
    /// crossing outside.
    struct Port: Hashable {
        enum Side: CaseIterable { case right, down, left, up }
        var side: Side
        /// From the middle of the edge.
        var offset: Int
        var point: OrthogonalPath.Point
        var exit: Intersection

        static func == (one: Port, other: Port) -> Bool { one.point == other.point }
        func hash(into hasher: inout Hasher) { hasher.combine(point) }
    }

    func ports(of id: String) -> [Port] {
        guard let box = boxes[id] else { return [] }
        let middle = box.center
        var doors: [Port] = []
        if let row = ys.firstIndex(of: middle.y) {
            if let x = xs.firstIndex(where: { $0 > box.x + box.w }) {
                doors.append(
                    Port(
                        side: .right, offset: 0, point: .init(x: box.x + box.w, y: middle.y),
                        exit: Intersection(x: x, y: row)))
            }
            if let x = xs.lastIndex(where: { $0 < box.x }) {
                doors.append(
                    Port(
                        side: .left, offset: 0, point: .init(x: box.x, y: middle.y),
                        exit: Intersection(x: x, y: row)))
            }
        }
        for offset in Self.portOffsets {
            guard let x = xs.firstIndex(of: middle.x + offset) else { continue }
            if let y = ys.firstIndex(where: { $0 > box.y + box.h }) {
                doors.append(
                    Port(
                        side: .down, offset: offset, point: .init(x: xs[x], y: box.y + box.h),
                        exit: Intersection(x: x, y: y)))
            }
            if let y = ys.lastIndex(where: { $0 < box.y }) {
                doors.append(
                    Port(
                        side: .up, offset: offset, point: .init(x: xs[x], y: box.y),
                        exit: Intersection(x: x, y: y)))
            }
        }
        return doors.filter { isFree($0.exit) }
    }
}
