import FoundationEssentials
import Glibc
import SQLite

/// A folder that is deleted with its test.
final class TemporaryDirectory: Sendable {
    let folder: String

    init() throws {
        var template = Array("/tmp/foyer-sqlite-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXFailure() }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/test.sqlite" }

    /// Opens a database in this folder.
    func open(_ migrations: [Migration] = notes, readers: Int = 2) throws -> Database {
        try Database(path: path, durability: .normal, migrations: migrations, readers: readers)
    }

    /// Copies the database as a killed process would have left it.
    func copyFiles(to other: TemporaryDirectory) throws {
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: other.path + suffix)
        }
    }

    /// Size in bytes of the file with this suffix; nil without one.
    func size(_ suffix: String) -> Int? {
        FileManager.default.contents(atPath: path + suffix)?.count
    }

    func mode(_ suffix: String) -> mode_t? {
        var fileStatus = stat()
        guard stat(path + suffix, &fileStatus) == 0 else { return nil }
        return fileStatus.st_mode & 0o777
    }
}

struct POSIXFailure: Error {}

/// An error that a test throws while it reads or writes.
struct TestError: Error, Equatable {}

/// The schema of most tests.
let notes = [
    Migration(
        "notes",
        sql: """
            CREATE TABLE notes (
                id INTEGER PRIMARY KEY, title TEXT UNIQUE, body BLOB,
                weight REAL
            ) STRICT;
            CREATE TABLE links (
                note INTEGER NOT NULL REFERENCES notes
                    DEFERRABLE INITIALLY DEFERRED
            ) STRICT;
            """)
]

extension Connection {
    func insertNote(_ title: String) throws(DatabaseError) {
        try run("INSERT INTO notes (title) VALUES (?)", [.text(title)])
    }

    func titles() throws -> [String] {
        try rows("SELECT title FROM notes ORDER BY id") { $0.text(0) }
    }
}
