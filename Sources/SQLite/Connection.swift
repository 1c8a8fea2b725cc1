/// A connection, lent for the length of one read or write.
package struct Connection {
    /// Runs one statement to its end; `sql` is prepared once and kept.
    package func run(
        _ sql: StaticSQL, _ values: [Value] = []
    ) throws(DatabaseError) {
        preconditionFailure("not built yet")
    }

    /// Every row, made into a value.
    package func rows<Element>(
        _ sql: StaticSQL, _ values: [Value] = [],
        _ make: (Row) throws -> Element
    ) throws -> [Element] {
        preconditionFailure("not built yet")
    }

    /// The first row, made into a value; nil without one.
    package func row<Element>(
        _ sql: StaticSQL, _ values: [Value] = [],
        _ make: (Row) throws -> Element
    ) throws -> Element? {
        preconditionFailure("not built yet")
    }

    /// Rows changed by the last statement.
    package var changes: Int { preconditionFailure("not built yet") }

    /// The rowid of the last insert.
    package var lastInsertedID: Int64 { preconditionFailure("not built yet") }
}
