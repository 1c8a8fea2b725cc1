import CSQLite
package import FoundationEssentials

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
        // SQLite reads the texts and blobs where they are copied to, as long as `body` runs.
        let size = values.reduce(1) { $0 + $1.byteCount }
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { bytes in
            body(values.count == parameterCount ? bind(values, in: bytes) : SQLITE_RANGE)
            reset()
        }
    }

    /// Binds all values, and returns the first error code.
    private func bind(_ values: [Value], in bytes: UnsafeMutableRawBufferPointer) -> Int32 {
        var used = 0
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1), in: bytes.suffix(from: used))
            guard code == SQLITE_OK else { return code }
            used += value.byteCount
        }
        return SQLITE_OK
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
        // The values may be secrets, and long ones are no longer valid.
        if parameterCount > 0 { sqlite3_clear_bindings(pointer) }
        hasRow = false
        isInUse = false
    }

    /// `bytes` is never empty: an empty text without an address would be NULL.
    private func bind(
        _ value: Value, at position: Int32, in bytes: Slice<UnsafeMutableRawBufferPointer>
    ) -> Int32 {
        let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes)
        switch value {
        case .null: return sqlite3_bind_null(pointer, position)
        case .integer(let number): return sqlite3_bind_int64(pointer, position, number)
        case .real(let number): return sqlite3_bind_double(pointer, position, number)
        case .text(let text):
            bytes.copyBytes(from: text.utf8)
            return sqlite3_bind_text64(
                pointer, position, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
                UInt64(text.utf8.count), nil, UInt8(SQLITE_UTF8))
        case .blob(let blob):
            bytes.copyBytes(from: blob)
            return sqlite3_bind_blob64(
                pointer, position, bytes.baseAddress, UInt64(blob.count), nil)
        }
    }
}

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

    /// Stored as seconds since 1970.
    package func date(_ column: Int) -> Date { Date(timeIntervalSince1970: real(column)) }

    package func optionalDate(_ column: Int) -> Date? { isNull(column) ? nil : date(column) }

    package func bool(_ column: Int) -> Bool { integer(column) != 0 }

    package func blob(_ column: Int) -> [UInt8] {
        let pointer = statement.rowPointer(column)
        guard let bytes = sqlite3_column_blob(pointer, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    package var columnCount: Int { Int(sqlite3_data_count(statement.rowPointer(0))) }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement.rowPointer(column), Int32(column)) == SQLITE_NULL
    }
}

/// A value bound to a statement or read from a column.
package enum Value: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The text, or NULL.
    package static func text(_ value: String?) -> Value { value.map(Value.text) ?? .null }

    /// The number, or NULL.
    package static func integer(_ value: Int64?) -> Value { value.map(Value.integer) ?? .null }

    package static func integer(_ value: Int) -> Value { .integer(Int64(value)) }

    /// The number, or NULL.
    package static func real(_ value: Double?) -> Value { value.map(Value.real) ?? .null }

    /// Seconds since 1970, or NULL.
    package static func date(_ value: Date?) -> Value { .real(value?.timeIntervalSince1970) }

    package static func bool(_ value: Bool) -> Value { .integer(value ? 1 : 0) }

    /// The bytes of a text or blob.
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let text): text.utf8.count
        case .blob(let blob): blob.count
        }
    }
}

/// SQL text with `?` placeholders; values never enter it.
///
/// It is written as a literal. Only other `StaticSQL` can be interpolated, so user input cannot
/// become SQL: `"SELECT \(columns) FROM accounts"`.
package struct StaticSQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    package let text: String

    package init(stringLiteral value: String) { text = value }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    private init(text: String) { self.text = text }

    /// Hashes only the length, which tells nearly all statements apart: every use of a statement
    /// looks it up, and its text may be long.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }

    /// `?, ?, ?` for a list of `count` values.
    ///
    /// Every count is a separate statement in the cache: round a varying `count` up and bind NULL
    /// to the unused ones.
    package static func placeholders(_ count: Int) -> StaticSQL {
        StaticSQL(text: Array(repeating: "?", count: count).joined(separator: ", "))
    }

    /// The parts with `separator` between them, for optional conditions.
    package static func joined(_ parts: [StaticSQL], separator: StaticSQL) -> StaticSQL {
        StaticSQL(text: parts.map(\.text).joined(separator: separator.text))
    }

    /// Accepts only literals and other SQL.
    package struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ sql: StaticSQL) { text += sql.text }
    }
}
