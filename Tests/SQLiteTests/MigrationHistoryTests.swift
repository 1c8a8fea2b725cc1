import Glibc
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(10))) struct MigrationHistoryTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private let second = Migration("colour", sql: "ALTER TABLE notes ADD COLUMN colour TEXT")

    @Test func `a new migration runs once on existing data`() async throws {
        let before = try directory.open(notes)
        try await before.write { try $0.insertNote("a") }
        await before.close()
        for _ in 0..<2 {
            let database = try directory.open(notes + [second])
            let rows = try await database.read { connection in
                try connection.rows("SELECT title, colour FROM notes") {
                    [$0.optionalText(0), $0.optionalText(1)]
                }
            }
            #expect(rows == [["a", nil]])
            await database.close()
        }
    }

    @Test func `a file of a later version is rejected and not changed`() async throws {
        await (try directory.open(notes + [second])).close()
        let error = #expect(throws: DatabaseError.self) { _ = try directory.open(notes) }
        #expect(error?.kind == .unknownSchema)
        #expect(error?.detail.contains("colour") == true)
        await (try directory.open(notes + [second])).close()
    }

    @Test func `migrations in another order are rejected`() async throws {
        await (try directory.open(notes + [second])).close()
        let other = Migration("other", sql: "CREATE TABLE o (a) ")
        let error = #expect(throws: DatabaseError.self) {
            _ = try directory.open([other] + notes + [second])
        }
        #expect(error?.kind == .unknownSchema)
    }

    @Test func `a migration that fails is rolled back`() async throws {
        let broken = Migration("broken", sql: "CREATE TABLE half (a); CREATE TABLE half (a)")
        let error = #expect(throws: DatabaseError.self) { _ = try directory.open(notes + [broken]) }
        #expect(error?.kind == .misuse)
        let database = try directory.open(notes)
        let exists = try await database.read {
            try $0.exists("SELECT 1 FROM sqlite_schema WHERE name = 'half'")
        }
        #expect(!exists)
        await database.close()
    }

    @Test func `a database of another program is rejected`() async throws {
        let handle = try Handle(path: directory.createEmptyFile())
        try handle.execute(script: "CREATE TABLE theirs (a)")
        handle.close()
        let error = #expect(throws: DatabaseError.self) { _ = try directory.open() }
        #expect(error?.kind == .unknownSchema)
    }

    @Test func `a file that is not a database is rejected`() throws {
        let file = try #require(fopen(directory.path, "w"))
        fputs(String(repeating: "This is a letter to you. ", count: 99), file)
        fclose(file)
        let error = #expect(throws: DatabaseError.self) { _ = try directory.open() }
        #expect(error?.kind == .unknownSchema)
        #expect(error?.detail.contains(directory.path) == true)
    }

    @Test func `an unusable folder is reported with a fix`() throws {
        let file = try directory.createEmptyFile()
        let error = #expect(throws: DatabaseError.self) {
            _ = try Database(path: file + "/below.sqlite", durability: .full, migrations: notes)
        }
        #expect(error?.kind == .unwritable)
        #expect(error?.kind.fix.contains("--data") == true)
    }

    /// Not even root can create files in /sys.
    @Test func `a read-only folder is reported`() throws {
        let path = "/sys/kernel/foyer.sqlite"
        let error = #expect(throws: DatabaseError.self) {
            _ = try Database(path: path, durability: .full, migrations: notes)
        }
        #expect(error?.kind == .unwritable)
        #expect(error?.detail.contains(path) == true)
    }
}

extension TemporaryDirectory {
    /// Creates an empty file at the path, and returns the path.
    func createEmptyFile() throws -> String {
        guard let file = fopen(path, "w") else { throw POSIXFailure() }
        fclose(file)
        return path
    }
}
