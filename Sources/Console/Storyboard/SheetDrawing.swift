/// The lines of a sheet, as the template writes them (`storyboard/lines`).
struct SheetDrawing: Encodable, Sendable {
    var width: Int
    var height: Int
    /// From the sheet's top to its tiles.
    var top: Int
    var lines: [Line]
    var labels: [Label]

    struct Line: Encodable, Sendable {
        /// `flow`, `back`, `states`.
        var tone: String
        var d: String
        /// Whether it ends with an arrowhead.
        var head: Bool
    }

    struct Label: Encodable, Sendable {
        var tone: String
        var x: Int
        var y: Int
        var text: String
    }
}

extension SheetDrawing {
    /// A column's states and the ways between columns.
    init(_ ways: [SheetWay], rows: [Int], size: DeviceSizes.Size) {
        let lanes = SheetLanes(ways, width: size.width + 28)
        let plan = SheetGeometry(rows: rows, lanes: lanes.count, size: size)
        let brackets = lanes.ways.indices.map { way in Bracket(lanes, way, plan) }
        self.init(
            width: plan.width, height: plan.height, top: plan.top,
            lines: rows.indices.flatMap { Self.states($0, plan) }
                + ways.filter(\.isStep).map { Self.step($0, plan) } + brackets.map(\.line),
            labels: brackets.compactMap { $0.label(among: brackets) })
    }

    /// From the first tile down its left side, with a tick to each other.
    private static func states(_ column: Int, _ plan: SheetGeometry) -> [Line] {
        let count = plan.rows[column]
        guard count > 1 else { return [] }
        let left = plan.left(column)
        let x = left - SheetGeometry.aside
        let half = plan.tileHeight / 2
        let from = StatePath.Point(x: left, y: plan.top(0) + half * 5 / 4)
        let to = StatePath.Point(x: left, y: plan.top(count - 1) + half)
        let spine = StatePath(
            points: [from, .init(x: x, y: from.y), .init(x: x, y: to.y), to], radius: 26)
        let ticks = (1..<(count - 1)).map { row in
            let y = plan.top(row) + half
            return "M\(x) \(y)L\(left) \(y)"
        }
        return [Line(tone: "states", d: ([spine.d] + ticks).joined(), head: false)]
    }

    private static func step(_ way: SheetWay, _ plan: SheetGeometry) -> Line {
        let y = plan.top(0) + plan.tileHeight / 2
        let from = plan.left(way.from) + plan.tileWidth + 25
        let to = plan.left(way.to) - 17
        return Line(tone: way.isFlow ? "flow" : "back", d: "M\(from) \(y)L\(to) \(y)", head: true)
    }

    /// A way over other columns, or back.
    private struct Bracket {
        let way: SheetWay
        let start: Int
        let end: Int
        let y: Int
        let foot: Int

        init(_ lanes: SheetLanes, _ index: Int, _ plan: SheetGeometry) {
            way = lanes.ways[index]
            let half = plan.tileWidth / 2
            start = plan.left(way.from) + half + lanes.starts[index]
            end = plan.left(way.to) + half + lanes.ends[index]
            foot = plan.top(0)
            y = foot - SheetGeometry.drop - lanes.lane[index] * SheetGeometry.lane
        }

        private var tone: String { way.isFlow ? "flow" : "back" }

        var line: Line {
            let path = StatePath(
                points: [
                    .init(x: start, y: foot - 17), .init(x: start, y: y), .init(x: end, y: y),
                    .init(x: end, y: foot - 17),
                ], radius: 26)
            return Line(tone: tone, d: path.d, head: true)
        }

        /// In the middle of the bracket, or as near to it as no other line
        /// goes through the words.
        func label(among brackets: [Bracket]) -> Label? {
            guard !way.label.isEmpty else { return nil }
            let from = min(start, end) + 40
            let to = max(start, end) - 40
            // A letter at the scale where there is least room for it.
            let letter = 26
            let text = way.label.cut(to: max(4, (to - from) / letter))
            let half = text.count * letter / 2
            let through = brackets.filter { $0.y < y }.flatMap { [$0.start, $0.end] }
            let middle = (from + to) / 2
            let free = stride(from: 0, through: max(0, (to - from) / 2 - half), by: 20).flatMap {
                [middle - $0, middle + $0]
            }.first { x in !through.contains { abs($0 - x) < half + 8 } }
            return Label(tone: tone, x: free ?? middle, y: y, text: text)
        }
    }
}
