import CSQLite

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
    ) throws -> Element? {
        var element: Element?
        var failure: (any Error)?
        try forEachRow(sql, values) { row in
            do { element = try transform(row) } catch { failure = error }
            return false
        }
        if let failure { throw failure }
        return element
    }

    /// The first column of the first row, such as a count; nil without a row or for NULL.
    package func integer(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) -> Int64? {
        var number: Int64?
        try forEachRow(sql, values) { row in
            number = row.optionalInteger(0)
            return false
        }
        return number
    }

    /// The first column of the first row; nil without a row or for NULL.
    package func text(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) -> String? {
        var text: String?
        try forEachRow(sql, values) { row in
            text = row.optionalText(0)
            return false
        }
        return text
    }

    /// Whether there is a row.
    package func exists(_ sql: StaticSQL, _ values: [Value] = []) throws(DatabaseError) -> Bool {
        var found = false
        try forEachRow(sql, values) { _ in
            found = true
            return false
        }
        return found
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
                failure = handle.failure(bindCode, sql: sql.text, isRunning: true)
                return
            }
            var code = statement.step()
            while code == SQLITE_ROW {
                guard body(Row(statement)) else { return }
                code = statement.step()
            }
            if code != SQLITE_DONE {
                // Read here, because the following reset clears the message.
                failure = handle.failure(code, sql: sql.text, isRunning: true)
            }
        }
        if let failure { throw failure }
    }
}
