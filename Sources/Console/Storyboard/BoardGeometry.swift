/// The positions of tiles and lines on a board, in points of a phone at full size.
///
/// The board is laid out once and then scaled. `storyboard.css` repeats these numbers.
struct BoardGeometry {
    /// The number of tiles in each column.
    let tileCounts: [Int]
    /// The number of lanes for brackets above the columns.
    let laneCount: Int
    let size: DeviceSizes.Size

    /// Around the board.
    static let margin = 134
    static let columnGap = 192
    /// Below a tile, for its name.
    static let captionHeight = 204
    /// The column's name, above the brackets.
    static let headerHeight = 170
    static let laneHeight = 58
    /// Between the lowest bracket and the tiles.
    static let laneGap = 75
    /// How far left of its column the line along the states is drawn.
    static let stateLineOffset = 33

    var tileWidth: Int { size.width + 28 }
    var tileHeight: Int { size.height + 28 }

    /// From the top of the board to the first tile.
    var tilesTop: Int {
        Self.headerHeight + (laneCount == 0 ? 0 : laneCount * Self.laneHeight + Self.laneGap)
    }

    func columnLeft(_ column: Int) -> Int { Self.margin + column * (tileWidth + Self.columnGap) }

    func rowTop(_ row: Int) -> Int { tilesTop + row * (tileHeight + Self.captionHeight) }

    var width: Int { columnLeft(tileCounts.count) - Self.columnGap + Self.margin }

    var height: Int { rowTop((tileCounts.max() ?? 0)) }
}
