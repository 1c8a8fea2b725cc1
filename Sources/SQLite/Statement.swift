import CSQLite

/// An owned prepared statement, which its connection binds, steps and resets.
final class Statement {
    let sql: String
    let columnCount: Int
    private let parameterCount: Int
    private let pointer: OpaquePointer
    /// True after `step()` returned a row, until the next one.
    private(set) var hasRow = false
    /// True from binding until `reset()`; a nested use gets another statement.
    private(set) var isInUse = false

    /// `SQLITE_TRANSIENT`: SQLite copies the bytes before `bind` returns. The macro is a cast,
    /// which Swift does not import.
    private static let transientDestructor = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(pointer: OpaquePointer, sql: String) {
        self.pointer = pointer
        self.sql = sql
        columnCount = Int(sqlite3_column_count(pointer))
        parameterCount = Int(sqlite3_bind_parameter_count(pointer))
    }

    deinit { sqlite3_finalize(pointer) }

    /// Binds `values` and calls `body` while they are bound, then resets.
    ///
    /// `body` gets `SQLITE_OK`, or the error code of binding; `SQLITE_RANGE` if there are too few
    /// or too many values.
    func withValues(_ values: [Value], _ body: (Int32) -> Void) {
        isInUse = true
        var code = values.count == parameterCount ? SQLITE_OK : SQLITE_RANGE
        for (index, value) in values.enumerated() where code == SQLITE_OK {
            code = bind(value, at: Int32(index + 1))
        }
        body(code)
        reset()
    }

    /// Advances to the next row; returns `SQLITE_ROW`, `SQLITE_DONE` or an error.
    func step() -> Int32 {
        let code = sqlite3_step(pointer)
        hasRow = code == SQLITE_ROW
        return code
    }

    /// The pointer, for reading column `index` of the current row.
    func rowPointer(_ index: Int) -> OpaquePointer {
        precondition(hasRow, "a row may not leave its closure")
        precondition(
            index >= 0 && index < columnCount, "column \(index) of \(columnCount) in: \(sql)")
        return pointer
    }

    private func reset() {
        sqlite3_reset(pointer)
        // The copied values may be secrets.
        if parameterCount > 0 { sqlite3_clear_bindings(pointer) }
        hasRow = false
        isInUse = false
    }

    private func bind(_ value: Value, at position: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(pointer, position)
        case .integer(let number): sqlite3_bind_int64(pointer, position, number)
        case .real(let number): sqlite3_bind_double(pointer, position, number)
        case .text(var text):
            text.withUTF8 { bytes in
                // A null pointer would bind NULL: an empty text needs an address.
                withUnsafePointer(to: CChar(0)) { empty in
                    bytes.withMemoryRebound(to: CChar.self) { characters in
                        sqlite3_bind_text64(
                            pointer, position, characters.baseAddress ?? empty,
                            UInt64(characters.count), Self.transientDestructor, UInt8(SQLITE_UTF8))
                    }
                }
            }
        case .blob(let blob) where blob.isEmpty: sqlite3_bind_zeroblob(pointer, position, 0)
        case .blob(let blob):
            sqlite3_bind_blob64(
                pointer, position, blob, UInt64(blob.count), Self.transientDestructor)
        }
    }
}
