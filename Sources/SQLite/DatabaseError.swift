import CSQLite
import Glibc

/// An error of SQLite or the file system; contains no bound value.
package struct DatabaseError: Error, Sendable, Equatable, CustomStringConvertible {
    package var kind: Kind
    /// What happened; names the file and statement, never values.
    package var detail: String

    package var description: String { "\(detail). \(kind.fix)" }

    /// What failed.
    package enum Kind: String, Sendable {
        /// Another process has the file locked.
        case inUse
        /// The folder or file cannot be read or written.
        case unwritable
        case diskFull
        /// The file is not a database, or its migration history is unknown.
        case unknownSchema
        case corrupt
        /// A constraint of the schema was violated; `detail` names table and column, as in `UNIQUE
        /// constraint failed: accounts.email`.
        case constraint
        /// More operations wait than are allowed.
        case busy
        /// The database is closed.
        case closed
        /// An error in Foyer's SQL.
        case misuse

        /// The kind of a primary result code (https://sqlite.org/rescode.html).
        fileprivate init(primaryCode: Int32) {
            switch primaryCode {
            case SQLITE_BUSY, SQLITE_LOCKED: self = .inUse
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_IOERR, SQLITE_NOMEM,
                SQLITE_NOLFS:
                self = .unwritable
            case SQLITE_NOTADB: self = .unknownSchema
            case SQLITE_CORRUPT: self = .corrupt
            case SQLITE_CONSTRAINT: self = .constraint
            default: self = .misuse
            }
        }

        /// What the user can do about it.
        var fix: String {
            switch self {
            case .inUse: "Stop the other process, or choose another folder with --data"
            case .unwritable:
                "Make the folder and its files readable and writable for you, or choose another "
                    + "folder with --data"
            case .diskFull: "Free some space on this disk and try again"
            case .unknownSchema:
                "Choose another folder with --data, or start the version of Foyer that created "
                    + "this file"
            case .corrupt:
                "Move the file and its -wal aside; `sqlite3 FILE .recover` may recover its contents"
            case .constraint: "Change the value that conflicts with stored data"
            case .busy: "Try again in a moment"
            case .closed: "Start Foyer again"
            case .misuse: "This is a bug in Foyer; please report it"
            }
        }
    }
}

/// Converts result codes of SQLite and the system to messages and fixes.
extension DatabaseError {
    /// An error of SQLite.
    ///
    /// `message` is `sqlite3_errmsg`; callers pass it only where it cannot contain a bound value:
    /// FTS5, for example, quotes the search text in its messages.
    init(code: Int32, message: String, systemError: Int32, path: String, sql: String?) {
        let primary = code & 0xff
        let isFull = primary == SQLITE_FULL || (primary == SQLITE_IOERR && systemError == ENOSPC)
        let kind = isFull ? Kind.diskFull : Kind(primaryCode: primary)
        let statementSuffix = sql.map { " (in `\(Self.shortened($0))`)" } ?? ""
        self.init(kind: kind, detail: "\(path): \(message)\(statementSuffix)")
    }

    /// Incorrect use of this module.
    static func misuse(_ detail: String, path: String, sql: String) -> DatabaseError {
        DatabaseError(kind: .misuse, detail: "\(path): \(detail) (in `\(Self.shortened(sql))`)")
    }

    /// A file that the system could not open, create or lock.
    static func system(_ number: Int32, path: String) -> DatabaseError {
        let kind: Kind = number == ENOSPC ? .diskFull : .unwritable
        return DatabaseError(kind: kind, detail: "\(path): \(String(cString: strerror(number)))")
    }

    /// The statement on one line, at most 160 characters.
    private static func shortened(_ sql: String) -> String {
        let words = sql.split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ")
        return line.count > 160 ? line.prefix(159) + "…" : line
    }
}
