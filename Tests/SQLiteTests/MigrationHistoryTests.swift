import Glibc
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(10))) struct MigrationHistoryTests {
    let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    private let second = Migration("colour", sql: "ALTER TABLE notes ADD COLUMN colour TEXT")

    @Test func `a new step runs once over what is stored`() async throws {
        let old = try scratch.open(notes)
        try await old.write { try $0.insertNote("a") }
        await old.close()
        for _ in 0..<2 {
            let new = try scratch.open(notes + [second])
            let rows = try await new.read { connection in
                try connection.rows("SELECT title, colour FROM notes") {
                    [$0.optionalText(0), $0.optionalText(1)]
                }
            }
            #expect(rows == [["a", nil]])
            await new.close()
        }
    }

    @Test func `a file from a later version is refused and left alone`() async throws {
        await (try scratch.open(notes + [second])).close()
        let error = #expect(throws: DatabaseError.self) { _ = try scratch.open(notes) }
        #expect(error?.kind == .unknownSchema)
        #expect(error?.detail.contains("colour") == true)
        await (try scratch.open(notes + [second])).close()
    }

    @Test func `steps in another order are refused`() async throws {
        await (try scratch.open(notes + [second])).close()
        let other = Migration("other", sql: "CREATE TABLE o (a) ")
        let error = #expect(throws: DatabaseError.self) {
            _ = try scratch.open([other] + notes + [second])
        }
        #expect(error?.kind == .unknownSchema)
    }

    @Test func `a step that fails leaves no trace`() async throws {
        let broken = Migration("broken", sql: "CREATE TABLE half (a); CREATE TABLE half (a)")
        let error = #expect(throws: DatabaseError.self) { _ = try scratch.open(notes + [broken]) }
        #expect(error?.kind == .misuse)
        let database = try scratch.open(notes)
        let isThere = try await database.read {
            try $0.exists("SELECT 1 FROM sqlite_schema WHERE name = 'half'")
        }
        #expect(!isThere)
        await database.close()
    }

    @Test func `a database of somebody else is refused`() async throws {
        let handle = try Handle(path: scratch.touched())
        try handle.execute(script: "CREATE TABLE theirs (a)")
        handle.close()
        let error = #expect(throws: DatabaseError.self) { _ = try scratch.open() }
        #expect(error?.kind == .unknownSchema)
    }

    @Test func `a file that is no database is refused`() throws {
        let file = try #require(fopen(scratch.path, "w"))
        fputs(String(repeating: "This is a letter to you. ", count: 99), file)
        fclose(file)
        let error = #expect(throws: DatabaseError.self) { _ = try scratch.open() }
        #expect(error?.kind == .unknownSchema)
        #expect(error?.detail.contains(scratch.path) == true)
    }

    @Test func `a folder that cannot hold it says how to mend that`() throws {
        let file = try scratch.touched()
        let error = #expect(throws: DatabaseError.self) {
            _ = try Database(path: file + "/below.sqlite", durability: .full, migrations: notes)
        }
        #expect(error?.kind == .unwritable)
        #expect(error?.fix.contains("--data") == true)
    }

    /// In /sys nothing can be made, by root neither.
    @Test func `a read-only folder says so`() throws {
        let path = "/sys/kernel/foyer.sqlite"
        let error = #expect(throws: DatabaseError.self) {
            _ = try Database(path: path, durability: .full, migrations: notes)
        }
        #expect(error?.kind == .unwritable)
        #expect(error?.detail.contains(path) == true)
    }
}

extension TemporaryDirectory {
    /// The path, with an empty file there.
    func touched() throws -> String {
        guard let file = fopen(path, "w") else { throw POSIXFailure() }
        fclose(file)
        return path
    }
}
