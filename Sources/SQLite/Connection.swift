import CSQLite
package import Core

/// A connection, lent for the duration of one read or write.
///
/// It cannot escape its closure: it is not `Sendable`, and the closure's result must be.
package struct Connection {
    private let handle: Handle

    init(_ handle: Handle) { self.handle = handle }

    /// Runs one statement to completion; `sql` is prepared once and cached.
    package func run(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) {
        try forEachRow(sql, values) { _ in true }
    }

    package func insert(_ columns: Columns, into table: StaticSQL) throws(DatabaseError) {
        let names = StaticSQL.joined(columns.map(\.name), separator: ", ")
        let placeholders = StaticSQL.placeholders(columns.count)
        try run("INSERT INTO \(table) (\(names)) VALUES (\(placeholders))", columns.map(\.value))
    }

    /// Updates the row whose `key` column has the value; returns whether there is one.
    package func update(
        _ table: StaticSQL, _ columns: Columns, where key: StaticSQL, is value: Value
    ) throws(DatabaseError) -> Bool {
        let assignments = columns.map { "\($0.name) = ?" as StaticSQL }
        let list = StaticSQL.joined(assignments, separator: ", ")
        try run("UPDATE \(table) SET \(list) WHERE \(key) = ?", columns.map(\.value) + [value])
        return changedRowCount > 0
    }

    /// Every row, transformed to a value.
    package func rows<Element>(
        _ sql: StaticSQL, _ values: [Value] = [], _ transform: (Row) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        var failure: (any Error)?
        try forEachRow(sql, values) { row in
            do { elements.append(try transform(row)) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        return elements
    }

    /// The first row, transformed to a value; nil without one.
    package func row<Element>(
        _ sql: StaticSQL, _ values: [Value] = [], _ transform: (Row) throws -> Element
    ) throws -> Element? { try first(sql, values) { row in Result { try transform(row) } }?.get() }

    /// The first column of the first row, such as a count; nil without a row or for NULL.
    package func integer(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) -> Int64? {
        try first(sql, values) { $0.optionalInteger(0) }
    }

    /// The first column of the first row, a count; 0 for NULL.
    package func count(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) -> Int {
        Int(try integer(sql, values) ?? 0)
    }

    /// The first column of the first row; nil without a row or for NULL.
    package func text(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) -> String? {
        try first(sql, values) { $0.optionalText(0) }
    }

    /// The first column of every row.
    func texts(_ sql: StaticSQL) throws(DatabaseError) -> [String] {
        var texts: [String] = []
        try forEachRow(sql, []) { row in
            texts.append(row.text(0))
            return true
        }
        return texts
    }

    /// Whether there is a row.
    package func exists(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) -> Bool {
        try first(sql, values) { _ in true } ?? false
    }

    /// What `read` returns for the first row; nil without one.
    private func first<Element>(_ sql: StaticSQL, _ values: [Value], _ read: (Row) -> Element?)
        throws(DatabaseError) -> Element?
    {
        var element: Element?
        try forEachRow(sql, values) { row in
            element = read(row)
            return false
        }
        return element
    }

    /// Rows changed by the last statement.
    package var changedRowCount: Int { handle.changedRowCount }

    /// The rowid of the last insert.
    package var lastInsertedID: Int64 { handle.lastInsertedID }

    /// Steps through the rows until `body` returns false.
    private func forEachRow(_ sql: StaticSQL, _ values: [Value], _ body: (Row) -> Bool)
        throws(DatabaseError)
    {
        let statement = try handle.statement(for: sql)
        var failure: DatabaseError?
        statement.withValues(values) { bindCode in
            guard bindCode == SQLITE_OK else {
                failure = handle.failure(bindCode, sql: statement.sql, isRunning: true)
                return
            }
            var code = statement.step()
            while code == SQLITE_ROW {
                guard body(Row(statement)) else { return }
                code = statement.step()
            }
            if code != SQLITE_DONE {
                // Read here, because the following reset clears the message.
                failure = handle.failure(code, sql: statement.sql, isRunning: true)
            }
        }
        if let failure { throw failure }
    }
}

/// Columns of a table with the values to write.
package typealias Columns = [(name: StaticSQL, value: Value)]

/// Conditions joined by AND, with the values bound to them. A comparison with NULL by `=`, `<` or
/// `LIKE` is never true, so NULL stands for a filter that is not set, and its condition is left out.
package struct Conditions: Sendable, ExpressibleByDictionaryLiteral {
    private var parts: [StaticSQL] = []
    package private(set) var values: [Value] = []

    package init(dictionaryLiteral elements: (StaticSQL, Value)...) {
        for (part, value) in elements { add(part, value) }
    }

    package mutating func add(_ part: StaticSQL, _ values: Value...) { add(part, values: values) }

    package mutating func add(_ part: StaticSQL, values: [Value]) {
        guard !values.contains(.null) else { return }
        parts.append(part)
        self.values += values
    }

    package var count: Int { parts.count }
    package var sql: StaticSQL { .joined(parts, separator: " AND ") }
}

/// The column by which a list is sorted, before its sequence number.
package struct SortKey: Sendable {
    package let sql: StaticSQL
    package let isNumber: Bool

    package init(sql: StaticSQL, isNumber: Bool = false) {
        self.sql = sql
        self.isNumber = isNumber
    }
}

extension Connection {
    /// Reads a page of the rows of `source` that meet `conditions`. `key` is the column of their
    /// sequence numbers. The rows are counted, unless `total` is given.
    ///
    /// They are sorted by `sortKey` before the sequence number, descending unless `isAscending`.
    package func page<Item: Sendable>(
        _ keyset: Keyset, by key: StaticSQL, sortedBy sortKey: SortKey? = nil,
        isAscending: Bool = false, _ columns: StaticSQL, from source: StaticSQL,
        where conditions: Conditions, total: (count: Int, isExact: Bool)? = nil,
        _ transform: (Row) throws -> Item
    ) throws -> KeysetPage<Item> {
        let (condition, values) = (conditions.sql, conditions.values)
        // A position without a value is one of another order.
        let keyset =
            sortKey != nil && keyset.sortValue == nil ? Keyset(limit: keyset.limit) : keyset
        // A page before a position is read backwards.
        let isRising = isAscending != (keyset.after != nil)
        let comparison: StaticSQL = isRising ? ">" : "<"
        let order: StaticSQL = isRising ? "ASC" : "DESC"
        let cursor = keyset.after ?? keyset.before ?? (isRising ? .min : .max)
        var bound: (sql: StaticSQL, values: [Value]) = (
            "\(key) \(comparison) ?", [.integer(cursor)]
        )
        if let sortKey {
            let value = keyset.sortValue.map { text -> Value in
                sortKey.isNumber ? .real(Double(text) ?? 0) : .text(text)
            }
            bound =
                value.map {
                    ("(\(sortKey.sql), \(key)) \(comparison) (?, ?)", [$0, .integer(cursor)])
                } ?? ("1", [])
        }
        let sortColumn: StaticSQL = sortKey.map { "\($0.sql), " } ?? ""
        let sortOrder: StaticSQL = sortKey.map { "\($0.sql) \(order), " } ?? ""
        let rows = try rows(
            """
            SELECT \(columns), \(sortColumn)\(key) FROM \(source) WHERE \(condition) AND \
            \(bound.sql) ORDER BY \(sortOrder)\(key) \(order) LIMIT ?
            """, values + bound.values + [.integer(keyset.limit + 1)]
        ) { row in
            let last = row.columnCount - 1
            let sortValue = sortKey.map { key in
                key.isNumber ? "\(row.real(last - 1))" : row.text(last - 1)
            }
            return (item: try transform(row), sequence: row.integer(last), sortValue: sortValue)
        }
        let total =
            try total ?? (count("SELECT count(*) FROM \(source) WHERE \(condition)", values), true)
        return KeysetPage(keyset, rows, total: total.count, totalIsExact: total.isExact)
    }
}
