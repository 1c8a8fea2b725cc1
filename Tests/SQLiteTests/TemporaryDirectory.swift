import FoundationEssentials
import Glibc
import SQLite

/// A folder that is gone with its test.
final class TemporaryDirectory: Sendable {
    let folder: String

    init() throws {
        var template = Array("/tmp/foyer-sqlite-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXFailure() }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/test.sqlite" }

    /// A database in this folder.
    func open(_ migrations: [Migration] = notes, readers: Int = 2) throws -> Database {
        try Database(path: path, durability: .normal, migrations: migrations, readers: readers)
    }

    /// Copies the database as a killed process would have left it.
    func copyFiles(to other: TemporaryDirectory) throws {
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + end, toPath: other.path + end)
        }
    }

    /// Bytes of the file with this name ending; nil without one.
    func size(_ ending: String) -> Int? {
        FileManager.default.contents(atPath: path + ending)?.count
    }

    func mode(_ ending: String) -> mode_t? {
        var fileStatus = stat()
        guard stat(path + ending, &fileStatus) == 0 else { return nil }
        return fileStatus.st_mode & 0o777
    }
}

struct POSIXFailure: Error {}

/// What a test's own write throws.
struct Refusal: Error, Equatable {}

/// The schema most tests use.
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
