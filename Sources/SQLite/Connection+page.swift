package import Core

extension Connection {
    /// Reads a page of the rows of `source` that meet `condition`. `key` is the column of their
    /// sequence numbers. The rows are counted, unless `total` is given.
    package func page<Item: Sendable>(
        _ keyset: Keyset, by key: StaticSQL, _ columns: StaticSQL, from source: StaticSQL,
        where condition: StaticSQL, _ values: [Value], total: (count: Int, isExact: Bool)? = nil,
        _ transform: (Row) throws -> Item
    ) throws -> KeysetPage<Item> {
        let isAscending = keyset.after != nil
        let comparison: StaticSQL = isAscending ? ">" : "<"
        let order: StaticSQL = isAscending ? "ASC" : "DESC"
        let bound = keyset.after ?? keyset.before ?? .max
        let rows = try rows(
            """
            SELECT \(columns), \(key) FROM \(source) \
            WHERE \(condition) AND \(key) \(comparison) ? ORDER BY \(key) \(order) LIMIT ?
            """, values + [.integer(bound), .integer(keyset.limit + 1)]
        ) { row in (item: try transform(row), sequence: row.integer(row.columnCount - 1)) }
        let total =
            try total ?? (count("SELECT count(*) FROM \(source) WHERE \(condition)", values), true)
        return KeysetPage(keyset, rows, total: total.count, totalIsExact: total.isExact)
    }
}
