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

    /// SQLite borrows values of at least this size instead of copying them: for smaller ones a copy
    /// is cheaper than another stack frame.
    private static let borrowThreshold = 1024

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
        if values.count == parameterCount {
            bind(values, from: 0, then: body)
        } else {
            body(SQLITE_RANGE)
        }
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
        // Borrowed bytes become invalid, and copied ones may be secrets.
        if parameterCount > 0 { sqlite3_clear_bindings(pointer) }
        hasRow = false
        isInUse = false
    }

    /// Binds the values from `start` on. A long one is borrowed: the following values are bound,
    /// and `body` runs, inside the closure that lends it.
    private func bind(_ values: [Value], from start: Int, then body: (Int32) -> Void) {
        for index in start..<values.count {
            let position = Int32(index + 1)
            let code: Int32
            switch values[index] {
            case .null: code = sqlite3_bind_null(pointer, position)
            case .integer(let number): code = sqlite3_bind_int64(pointer, position, number)
            case .real(let number): code = sqlite3_bind_double(pointer, position, number)
            case .text(var text):
                let isBorrowed = text.utf8.count >= Self.borrowThreshold
                let result = text.withUTF8 { bytes in
                    let code = bindText(bytes, at: position, isBorrowed: isBorrowed)
                    if isBorrowed && code == SQLITE_OK { bind(values, from: index + 1, then: body) }
                    return code
                }
                if isBorrowed && result == SQLITE_OK { return }
                code = result
            case .blob(let blob):
                let isBorrowed = blob.count >= Self.borrowThreshold
                let result = blob.withUnsafeBytes { bytes in
                    let code = bindBlob(bytes, at: position, isBorrowed: isBorrowed)
                    if isBorrowed && code == SQLITE_OK { bind(values, from: index + 1, then: body) }
                    return code
                }
                if isBorrowed && result == SQLITE_OK { return }
                code = result
            }
            guard code == SQLITE_OK else { return body(code) }
        }
        body(SQLITE_OK)
    }

    private func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int32, isBorrowed: Bool)
        -> Int32
    {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            // A null pointer would bind NULL: an empty text needs an address.
            withUnsafePointer(to: CChar(0)) { empty in
                sqlite3_bind_text64(
                    pointer, position, characters.baseAddress ?? empty, UInt64(characters.count),
                    isBorrowed ? nil : Self.transientDestructor, UInt8(SQLITE_UTF8))
            }
        }
    }

    private func bindBlob(_ bytes: UnsafeRawBufferPointer, at position: Int32, isBorrowed: Bool)
        -> Int32
    {
        bytes.isEmpty
            ? sqlite3_bind_zeroblob(pointer, position, 0)
            : sqlite3_bind_blob64(
                pointer, position, bytes.baseAddress, UInt64(bytes.count),
                isBorrowed ? nil : Self.transientDestructor)
    }
}
