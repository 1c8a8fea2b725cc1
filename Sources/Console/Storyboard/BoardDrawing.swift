import Apps
import Diagrams
import Web

/// The lines of a board, as the template `storyboard/board` draws them.
struct BoardDrawing: Encodable, Sendable {
    var width: Int
    var height: Int
    /// The distance from the board's top to the first tile.
    var top: Int
    var lines: [Line]
    var labels: [Label]

    struct Line: Encodable, Sendable {
        /// `primary`, `secondary`, `states`.
        var tone: String
        var d: String
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
    /// Draws the line along each column's states and the edges between columns.
    init(_ edges: [BoardEdge], rows: [Int], sizes: [DeviceSizes.Size]) {
        let spanning = edges.filter { !$0.isAdjacent }
        let lanes = BracketLanes(
            spanning.map { ($0.from, $0.to) }, columnWidth: BoardGeometry.tileWidth(of: sizes))
        let geometry = BoardGeometry(tileCounts: rows, laneCount: lanes.laneCount, sizes: sizes)
        let brackets = zip(spanning, lanes.brackets).map { Bracket($0, $1, geometry) }
        self.init(
            width: geometry.width, height: geometry.height, top: geometry.tilesTop,
            lines: rows.indices.flatMap { Self.stateLine($0, geometry) }
                + edges.filter(\.isAdjacent).map { Self.stepArrow($0, geometry) }
                + brackets.map(\.line), labels: brackets.compactMap { $0.label(among: brackets) })
    }

    /// A line from the first tile down the column's left side, with a tick at every other tile.
    private static func stateLine(_ column: Int, _ geometry: BoardGeometry) -> [Line] {
        let count = geometry.tileCounts[column]
        guard count > 1 else { return [] }
        let left = geometry.columnLeft(column)
        let x = left - BoardGeometry.stateLineOffset
        let half = geometry.tileHeight / 2
        let from = Point(x: left, y: geometry.rowTop(0) + half * 5 / 4)
        let to = Point(x: left, y: geometry.rowTop(count - 1) + half)
        let spine = OrthogonalPath(
            points: [from, Point(x: x, y: from.y), Point(x: x, y: to.y), to], radius: 26)
        let ticks = (1..<(count - 1)).map { row in
            let y = geometry.rowTop(row) + half
            return "M\(x) \(y)L\(left) \(y)"
        }
        return [Line(tone: "states", d: ([spine.d] + ticks).joined(), hasArrowhead: false)]
    }

    private static func stepArrow(_ edge: BoardEdge, _ geometry: BoardGeometry) -> Line {
        let y = geometry.rowTop(0) + geometry.tileHeight / 2
        let from = geometry.columnLeft(edge.from) + geometry.tileWidth + 25
        let to = geometry.columnLeft(edge.to) - 17
        return Line(tone: edge.tone, d: "M\(from) \(y)L\(to) \(y)", hasArrowhead: true)
    }

    /// An edge that spans several columns or leads back, drawn above the columns.
    private struct Bracket {
        let edge: BoardEdge
        let startX: Int
        let endX: Int
        let y: Int
        let baseY: Int

        init(_ edge: BoardEdge, _ bracket: BracketLanes.Bracket, _ geometry: BoardGeometry) {
            self.edge = edge
            let half = geometry.tileWidth / 2
            startX = geometry.columnLeft(edge.from) + half + bracket.startOffset
            endX = geometry.columnLeft(edge.to) + half + bracket.endOffset
            baseY = geometry.rowTop(0)
            y = baseY - BoardGeometry.laneGap - bracket.lane * BoardGeometry.laneHeight
        }

        var line: Line {
            let path = OrthogonalPath(
                points: [
                    Point(x: startX, y: baseY - 17), Point(x: startX, y: y), Point(x: endX, y: y),
                    Point(x: endX, y: baseY - 17),
                ], radius: 26)
            return Line(tone: edge.tone, d: path.d, hasArrowhead: true)
        }

        /// Centers the label on the bracket, or puts it as near to the center as no vertical line
        /// of another bracket crosses it.
        func label(among brackets: [Bracket]) -> Label? {
            guard !edge.label.isEmpty else { return nil }
            let from = min(startX, endX) + 40
            let to = max(startX, endX) - 40
            // The width of a letter at the smallest zoom step that shows labels.
            let letterWidth = 26
            let text = edge.label.truncated(to: max(4, (to - from) / letterWidth))
            let half = text.count * letterWidth / 2
            let crossedXs = brackets.filter { $0.y < y }.flatMap { [$0.startX, $0.endX] }
            let middle = (from + to) / 2
            let freeX = stride(from: 0, through: max(0, (to - from) / 2 - half), by: 20).flatMap {
                [middle - $0, middle + $0]
            }.first { x in !crossedXs.contains { abs($0 - x) < half + 8 } }
            return Label(tone: edge.tone, x: freeX ?? middle, y: y, text: text)
        }
    }
}

/// A transition between two columns of a board.
struct BoardEdge: Equatable {
    /// Column indices.
    var from: Int
    var to: Int
    /// The trigger; empty if it is self-evident.
    var label: String
    /// Whether it is a forward step of the flow; other edges are drawn muted.
    var isPrimary: Bool

    var tone: String { isPrimary ? "primary" : "secondary" }

    /// Whether it leads to the next column; drawn as an arrow between the two.
    var isAdjacent: Bool { to == from + 1 }

    /// `login leads to map: Login`.
    func description(columns: [String]) -> String {
        "\(columns[from]) leads to \(columns[to])" + (label.isEmpty ? "" : ": \(label)")
    }

    /// The edges between `columns`, the screen ids in the board's order.
    static func all(of graph: ScreenGraph, between columns: [String]) -> [BoardEdge] {
        let columnIndices = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        return graph.edges.compactMap { edge in
            guard let from = columnIndices[edge.from], let to = columnIndices[edge.to] else {
                return nil
            }
            // A tab or link that leads back repeats the forward edge.
            let isBack =
                edge.isNavigationOnly && from > to
                && graph.edges.contains { $0.from == edge.to && $0.to == edge.from }
            guard !isBack else { return nil }
            return BoardEdge(
                from: from, to: to, label: edge.label,
                isPrimary: from < to && edge.label != "relaunch")
        }
    }
}

/// The positions of tiles and lines on a board, in points of a phone at full size.
///
/// The board is laid out once and then scaled. `storyboard.css` repeats these numbers.
struct BoardGeometry {
    /// The number of tiles in each column.
    let tileCounts: [Int]
    /// The number of lanes for brackets above the columns.
    let laneCount: Int
    /// Of the phones of a tile, side by side.
    let sizes: [DeviceSizes.Size]

    /// Around the board.
    static let margin = 134
    static let columnGap = 192
    /// Between the phones of a tile.
    static let phoneGap = 48
    /// The column's name, above the brackets.
    static let headerHeight = 170
    static let laneHeight = 58
    /// Between the lowest bracket and the tiles.
    static let laneGap = 75
    /// How far left of its column the line along the states is drawn.
    static let stateLineOffset = 33

    static func tileWidth(of sizes: [DeviceSizes.Size]) -> Int {
        sizes.reduce(-phoneGap) { $0 + $1.width + 28 + phoneGap }
    }

    var tileWidth: Int { Self.tileWidth(of: sizes) }
    var tileHeight: Int { (sizes.map(\.height).max() ?? 0) + 28 }
    /// Below a tile, for its name and, if it has several phones, theirs.
    var captionHeight: Int { sizes.count > 1 ? 274 : 204 }

    /// From the top of the board to the first tile.
    var tilesTop: Int {
        Self.headerHeight + (laneCount == 0 ? 0 : laneCount * Self.laneHeight + Self.laneGap)
    }

    func columnLeft(_ column: Int) -> Int { Self.margin + column * (tileWidth + Self.columnGap) }

    func rowTop(_ row: Int) -> Int { tilesTop + row * (tileHeight + captionHeight) }

    var width: Int { columnLeft(tileCounts.count) - Self.columnGap + Self.margin }

    var height: Int { rowTop((tileCounts.max() ?? 0)) }
}
