/// An error of SQLite or the file system; contains no bound value.
package struct DatabaseError: Error, Sendable, Equatable {
    package var kind: Kind
    /// What happened; names the file and statement, never values.
    package var detail: String
    /// How to fix it.
    package var fix: String

    package init(kind: Kind, detail: String, fix: String) {
        self.kind = kind
        self.detail = detail
        self.fix = fix
    }

    package enum Kind: String, Sendable {
        /// Another process has the file locked.
        case inUse
        /// The folder or file cannot be read or written.
        case unwritable
        case diskFull
        /// The file is not a database, or its migration history is unknown.
        case unknownSchema = "foreign"
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
    }
}

extension DatabaseError: CustomStringConvertible {
    package var description: String { "\(detail). \(fix)" }
}
