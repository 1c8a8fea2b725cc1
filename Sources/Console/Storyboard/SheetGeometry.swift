/// Where things stand on a sheet, in points of a phone at full size.
///
/// The sheet is laid out once and scaled as a whole; `storyboard.css` has the
/// same numbers.
struct SheetGeometry {
    /// How many tiles each column has.
    let rows: [Int]
    /// How many brackets lie above one another.
    let lanes: Int
    let size: DeviceSizes.Size

    /// Around all of it.
    static let edge = 134
    /// Between two columns.
    static let gap = 192
    /// Below a tile, with its name.
    static let under = 204
    /// The column's name, above the brackets.
    static let head = 170
    static let lane = 58
    /// Between the lowest bracket and the tiles.
    static let drop = 75
    /// How far left of a column the line of its states hangs.
    static let aside = 33

    var tileWidth: Int { size.width + 28 }
    var tileHeight: Int { size.height + 28 }

    /// From the top of the sheet to the first tile.
    var top: Int { Self.head + (lanes == 0 ? 0 : lanes * Self.lane + Self.drop) }

    func left(_ column: Int) -> Int { Self.edge + column * (tileWidth + Self.gap) }

    func top(_ row: Int) -> Int { top + row * (tileHeight + Self.under) }

    var width: Int { left(rows.count) - Self.gap + Self.edge }

    var height: Int { top((rows.max() ?? 0)) }
}
