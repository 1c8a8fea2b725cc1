import Support
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(10))) struct GroupCommitTests {
    let directory: TemporaryDirectory
    let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        database = try directory.open()
    }

    /// Starts `writes` while the writer is blocked, so that they share a commit, and returns their
    /// results in order.
    private func commitTogether(_ writes: [@Sendable (Connection) throws -> Void]) async throws
        -> [Result<Void, any Error>]
    {
        let blocked = Gate()
        let release = Gate()
        async let blocker: Void = database.write { _ in
            blocked.open()
            release.wait()
        }
        await blocked.opened()
        let results = try await withThrowingTaskGroup(of: (Int, Result<Void, any Error>).self) {
            group in
            for (index, write) in writes.enumerated() {
                group.addTask { [database] in
                    do { return (index, .success(try await database.write(write))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            release.open()
            var results: [Int: Result<Void, any Error>] = [:]
            for try await (index, result) in group { results[index] = result }
            return results.sorted { $0.key < $1.key }.map(\.value)
        }
        try await blocker
        return results
    }

    @Test func `a write that throws rolls back only itself`() async throws {
        let results = try await commitTogether([
            { try $0.insertNote("one") },
            { connection in
                try connection.insertNote("two")
                throw TestError()
            }, { try $0.insertNote("three") },
        ])
        #expect(throws: Never.self) { try results[0].get() }
        #expect(throws: TestError.self) { try results[1].get() }
        #expect(throws: Never.self) { try results[2].get() }
        let titles = try await database.read { try $0.titles() }
        #expect(Set(titles) == ["one", "three"])
        await database.close()
    }

    @Test func `a constraint violation rolls back only its own write`() async throws {
        try await database.write { try $0.insertNote("taken") }
        let results = try await commitTogether([
            { try $0.insertNote("free") },
            { connection in
                try connection.insertNote("undone")
                try connection.insertNote("taken")
            },
        ])
        #expect(throws: Never.self) { try results[0].get() }
        let error = #expect(throws: DatabaseError.self) { try results[1].get() }
        #expect(error?.kind == .constraint)
        #expect(error?.detail.contains("notes.title") == true)
        #expect(try await database.read { try $0.titles() } == ["taken", "free"])
        await database.close()
    }

    @Test func `a deferred foreign key violation fails only its own write`() async throws {
        let results = try await commitTogether([
            { try $0.insertNote("kept") },
            { try $0.run("INSERT INTO links VALUES (?)", [.integer(99)]) },
        ])
        #expect(throws: Never.self) { try results[0].get() }
        let error = #expect(throws: DatabaseError.self) { try results[1].get() }
        #expect(error?.kind == .constraint)
        #expect(try await database.read { try $0.titles() } == ["kept"])
        await database.close()
    }

    @Test func `a write that ends the transaction fails all writes in it`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await database.write { connection in
                try connection.insertNote("lost")
                try connection.run("ROLLBACK")
            }
        }
        #expect(error?.kind == .misuse)
        try await database.write { try $0.insertNote("next") }
        #expect(try await database.read { try $0.titles() } == ["next"])
        await database.close()
    }

    @Test func `a write that a full disk rolls back is never reported as stored`() async throws {
        // The page limit causes the same SQLITE_FULL as a full disk.
        try await database.write { try $0.run("PRAGMA max_page_count = 20") }
        let large = [UInt8](repeating: 1, count: 400_000)
        let results = try await commitTogether([
            { try $0.insertNote("small") },
            { connection in
                try connection.run(
                    "INSERT INTO notes (title, body) VALUES ('big', ?)", [.blob(large)])
            },
        ])
        let error = #expect(throws: DatabaseError.self) { try results[1].get() }
        #expect(error?.kind == .diskFull)
        let titles = try await database.read { try $0.titles() }
        let isStored = (try? results[0].get()) != nil
        #expect(titles == (isStored ? ["small"] : []))
        try await database.write { try $0.insertNote("after") }
        await database.close()
    }

    @Test func `many concurrent writes are all stored`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask { [database] in
                    try await database.write { try $0.insertNote("\(number)") }
                }
            }
            try await group.waitForAll()
        }
        let count = try await database.read { try $0.integer("SELECT count(*) FROM notes") }
        #expect(count == 500)
        await database.close()
    }
}
