/// Where things stand on a sheet, in points of a phone at full size.
///
/// The sheet is laid out once and scaled as a whole; `storyboard.css` has the
/// same numbers.
struct BoardGeometry {
    /// How many tiles each column has.
    let tileCounts: [Int]
    /// How many brackets lie above one another.
    let laneCount: Int
    let size: DeviceSizes.Size

    /// Around all of it.
    static let margin = 134
    /// Between two columns.
    static let columnGap = 192
    /// Below a tile, with its name.
    static let captionHeight = 204
    /// The column's name, above the brackets.
    static let headerHeight = 170
    static let laneHeight = 58
    /// Between the lowest bracket and the tiles.
    static let laneGap = 75
    /// How far left of a column the line of its states hangs.
    static let stateLineOffset = 33

    var tileWidth: Int { size.width + 28 }
    var tileHeight: Int { size.height + 28 }

    /// From the top of the sheet to the first tile.
    var tilesTop: Int {
        Self.headerHeight + (laneCount == 0 ? 0 : laneCount * Self.laneHeight + Self.laneGap)
    }

    func columnLeft(_ column: Int) -> Int { Self.margin + column * (tileWidth + Self.columnGap) }

    func rowTop(_ row: Int) -> Int { tilesTop + row * (tileHeight + Self.captionHeight) }

    var width: Int { columnLeft(tileCounts.count) - Self.columnGap + Self.margin }

    var height: Int { rowTop((tileCounts.max() ?? 0)) }
}
