import CSQLite

/// The current row of a statement; columns count from 0.
///
/// It is valid only inside its closure. NULL reads as the empty text, 0 or no bytes unless read
/// with `optional…`; other types are converted as SQLite does.
package struct Row {
    private let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    package func text(_ column: Int) -> String {
        let pointer = statement.rowPointer(column)
        // The order matters: reading the text determines the encoding of the count.
        guard let bytes = sqlite3_column_text(pointer, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    package func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(statement.rowPointer(column), Int32(column))
    }

    package func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

    package func real(_ column: Int) -> Double {
        sqlite3_column_double(statement.rowPointer(column), Int32(column))
    }

    package func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }

    package func bool(_ column: Int) -> Bool { integer(column) != 0 }

    package func blob(_ column: Int) -> [UInt8] {
        let pointer = statement.rowPointer(column)
        guard let bytes = sqlite3_column_blob(pointer, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    package func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement.rowPointer(column), Int32(column)) == SQLITE_NULL
    }
}
