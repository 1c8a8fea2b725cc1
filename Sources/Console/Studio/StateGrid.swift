/// The lines ways may run along in the state map: through the middle of each
/// row, up to three between rows and between columns, three doors per node.
struct StateGrid {
    /// A crossing of two lines, by its index in `xs` and `ys`.
    struct Crossing: Hashable {
        var x: Int
        var y: Int
    }

    /// A node's rectangle, px.
    struct Box {
        var x: Int
        var y: Int
        var w: Int
        var h: Int
        var middle: StatePath.Point { StatePath.Point(x: x + w / 2, y: y + h / 2) }
    }

    let boxes: [String: Box]
    let xs: [Int]
    let ys: [Int]
    /// Lines that run beside the middle of a gap: taken when that is.
    let asideX: Set<Int>
    let asideY: Set<Int>
    private let inside: Set<Crossing>

    /// How far the outer doors of a node's upper and lower edge stand from its
    /// middle.
    static let doors = [0, 24, -24]

    init(boxes: [String: Box], nodeWidth: Int, nodeHeight: Int) {
        let lefts = Set(boxes.values.map(\.x)).sorted()
        let tops = Set(boxes.values.map(\.y)).sorted()
        var xs: Set<Int> = []
        var ys: Set<Int> = []
        var asideX: Set<Int> = []
        var asideY: Set<Int> = []
        for left in lefts { for door in Self.doors { xs.insert(left + nodeWidth / 2 + door) } }
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
        self.asideX = asideX
        self.asideY = asideY
        self.xs = xs.union(asideX).sorted()
        self.ys = ys.union(asideY).sorted()
        var inside: Set<Crossing> = []
        for (column, x) in self.xs.enumerated() {
            for (row, y) in self.ys.enumerated()
            where boxes.values.contains(where: {
                x >= $0.x && x <= $0.x + $0.w && y >= $0.y && y <= $0.y + $0.h
            }) { inside.insert(Crossing(x: column, y: row)) }
        }
        self.inside = inside
    }

    func point(_ crossing: Crossing) -> StatePath.Point {
        StatePath.Point(x: xs[crossing.x], y: ys[crossing.y])
    }

    func isFree(_ crossing: Crossing) -> Bool {
        xs.indices.contains(crossing.x) && ys.indices.contains(crossing.y)
            && !inside.contains(crossing)
    }

    /// A place on a node's edge where a way may begin or end, and the first
    /// crossing outside.
    struct Door: Hashable {
        enum Side: CaseIterable { case right, down, left, up }
        var side: Side
        /// From the middle of the edge.
        var offset: Int
        var at: StatePath.Point
        var outside: Crossing

        static func == (one: Door, other: Door) -> Bool { one.at == other.at }
        func hash(into hasher: inout Hasher) { hasher.combine(at) }
    }

    func doors(of id: String) -> [Door] {
        guard let box = boxes[id] else { return [] }
        let middle = box.middle
        var doors: [Door] = []
        if let row = ys.firstIndex(of: middle.y) {
            if let x = xs.firstIndex(where: { $0 > box.x + box.w }) {
                doors.append(
                    Door(
                        side: .right, offset: 0, at: .init(x: box.x + box.w, y: middle.y),
                        outside: Crossing(x: x, y: row)))
            }
            if let x = xs.lastIndex(where: { $0 < box.x }) {
                doors.append(
                    Door(
                        side: .left, offset: 0, at: .init(x: box.x, y: middle.y),
                        outside: Crossing(x: x, y: row)))
            }
        }
        for offset in Self.doors {
            guard let x = xs.firstIndex(of: middle.x + offset) else { continue }
            if let y = ys.firstIndex(where: { $0 > box.y + box.h }) {
                doors.append(
                    Door(
                        side: .down, offset: offset, at: .init(x: xs[x], y: box.y + box.h),
                        outside: Crossing(x: x, y: y)))
            }
            if let y = ys.lastIndex(where: { $0 < box.y }) {
                doors.append(
                    Door(
                        side: .up, offset: offset, at: .init(x: xs[x], y: box.y),
                        outside: Crossing(x: x, y: y)))
            }
        }
        return doors.filter { isFree($0.outside) }
    }
}
