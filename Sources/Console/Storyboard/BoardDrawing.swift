/// The lines of a sheet, as the template writes them (`storyboard/lines`).
struct BoardDrawing: Encodable, Sendable {
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
        var hasArrowhead: Bool
    }

    struct Label: Encodable, Sendable {
        var tone: String
        var x: Int
        var y: Int
        var text: String
    }
}

extension BoardDrawing {
    /// A column's states and the ways between columns.
    init(_ ways: [BoardEdge], rows: [Int], size: DeviceSizes.Size) {
        let lanes = BoardLaneAssignment(ways, width: size.width + 28)
        let plan = BoardGeometry(tileCounts: rows, laneCount: lanes.laneCount, size: size)
        let brackets = lanes.edges.indices.map { way in Bracket(lanes, way, plan) }
        self.init(
            width: plan.width, height: plan.height, top: plan.tilesTop,
            lines: rows.indices.flatMap { Self.stateLine($0, plan) }
                + ways.filter(\.isAdjacent).map { Self.stepArrow($0, plan) } + brackets.map(\.line),
            labels: brackets.compactMap { $0.label(among: brackets) })
    }

    /// From the first tile down its left side, with a tick to each other.
    private static func stateLine(_ column: Int, _ plan: BoardGeometry) -> [Line] {
        let count = plan.tileCounts[column]
        guard count > 1 else { return [] }
        let left = plan.columnLeft(column)
        let x = left - BoardGeometry.stateLineOffset
        let half = plan.tileHeight / 2
        let from = OrthogonalPath.Point(x: left, y: plan.rowTop(0) + half * 5 / 4)
        let to = OrthogonalPath.Point(x: left, y: plan.rowTop(count - 1) + half)
        let spine = OrthogonalPath(
            points: [from, .init(x: x, y: from.y), .init(x: x, y: to.y), to], radius: 26)
        let ticks = (1..<(count - 1)).map { row in
            let y = plan.rowTop(row) + half
            return "M\(x) \(y)L\(left) \(y)"
        }
        return [Line(tone: "states", d: ([spine.d] + ticks).joined(), hasArrowhead: false)]
    }

    private static func stepArrow(_ way: BoardEdge, _ plan: BoardGeometry) -> Line {
        let y = plan.rowTop(0) + plan.tileHeight / 2
        let from = plan.columnLeft(way.from) + plan.tileWidth + 25
        let to = plan.columnLeft(way.to) - 17
        return Line(
            tone: way.isPrimary ? "flow" : "back", d: "M\(from) \(y)L\(to) \(y)", hasArrowhead: true
        )
    }

    /// A way over other columns, or back.
    private struct Bracket {
        let edge: BoardEdge
        let startX: Int
        let endX: Int
        let y: Int
        let baseY: Int

        init(_ lanes: BoardLaneAssignment, _ index: Int, _ plan: BoardGeometry) {
            edge = lanes.edges[index]
            let half = plan.tileWidth / 2
            startX = plan.columnLeft(edge.from) + half + lanes.startOffsets[index]
            endX = plan.columnLeft(edge.to) + half + lanes.endOffsets[index]
            baseY = plan.rowTop(0)
            y = baseY - BoardGeometry.laneGap - lanes.laneByEdge[index] * BoardGeometry.laneHeight
        }

        private var tone: String { edge.isPrimary ? "flow" : "back" }

        var line: Line {
            let path = OrthogonalPath(
                points: [
                    .init(x: startX, y: baseY - 17), .init(x: startX, y: y), .init(x: endX, y: y),
                    .init(x: endX, y: baseY - 17),
                ], radius: 26)
            return Line(tone: tone, d: path.d, hasArrowhead: true)
        }

        /// In the middle of the bracket, or as near to it as no other line
        /// goes through the words.
        func label(among brackets: [Bracket]) -> Label? {
            guard !edge.label.isEmpty else { return nil }
            let from = min(startX, endX) + 40
            let to = max(startX, endX) - 40
            // A letter at the scale where there is least room for it.
            let letter = 26
            let text = edge.label.truncated(to: max(4, (to - from) / letter))
            let half = text.count * letter / 2
            let through = brackets.filter { $0.y < y }.flatMap { [$0.startX, $0.endX] }
            let middle = (from + to) / 2
            let free = stride(from: 0, through: max(0, (to - from) / 2 - half), by: 20).flatMap {
                [middle - $0, middle + $0]
            }.first { x in !through.contains { abs($0 - x) < half + 8 } }
            return Label(tone: tone, x: free ?? middle, y: y, text: text)
        }
    }
}
