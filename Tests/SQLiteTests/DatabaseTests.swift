import Glibc
import Support
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(10))) struct DatabaseTests {
    let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    @Test func `what was written is read by a reader`() async throws {
        let database = try scratch.open()
        try await database.write { try $0.insertNote("a") }
        #expect(try await database.read { try $0.titles() } == ["a"])
        await database.close()
    }

    @Test func `what has to be caught up with is done step by step`() async throws {
        let database = try scratch.open()
        try await database.write { connection in
            for title in ["a", "b", "c"] { try connection.insertNote(title) }
        }
        try await database.writeInSteps { connection in
            try connection.exists("SELECT 1 FROM notes")
        } _: { connection in
            try connection.run("DELETE FROM notes WHERE id IN (SELECT id FROM notes LIMIT 2)")
        }
        #expect(try await database.read { try $0.titles() } == [])
        try await database.writeInSteps { _ in
            false
        } _: { _ in
            Issue.record("there was nothing to do")
        }
        await database.close()
    }

    @Test func `a killed process loses nothing it was told is stored`() async throws {
        let database = try scratch.open()
        for title in ["a", "b", "c"] { try await database.write { try $0.insertNote(title) } }
        // The files as they are now: nothing closed, nothing checkpointed.
        let after = try TemporaryDirectory()
        try scratch.copyFiles(to: after)
        let again = try after.open()
        #expect(try await again.read { try $0.titles() } == ["a", "b", "c"])
        await again.close()
        await database.close()
    }

    @Test func `a torn tail of the log costs only what was not answered`() async throws {
        let database = try scratch.open()
        try await database.write { try $0.insertNote("answered") }
        let after = try TemporaryDirectory()
        try scratch.copyFiles(to: after)
        let log = try #require(fopen(after.path + "-wal", "a"))
        fputs(String(repeating: "torn", count: 2_000), log)
        fclose(log)
        let again = try after.open()
        #expect(try await again.read { try $0.titles() } == ["answered"])
        await again.close()
        await database.close()
    }

    @Test func `a database that is only dropped can be opened again`() async throws {
        try await scratch.open().write { try $0.insertNote("a") }
        let database = try scratch.open()
        #expect(try await database.read { try $0.titles() } == ["a"])
        await database.close()
    }

    @Test func `closing leaves one file and no log`() async throws {
        let database = try scratch.open()
        try await database.write { try $0.insertNote("a") }
        // There while it is open; an idle moment may have emptied it.
        #expect(scratch.size("-wal") != nil)
        await database.close()
        #expect(scratch.size("-wal") == nil)
        #expect(scratch.size("-shm") == nil)
    }

    @Test func `closing finishes what waits and refuses what comes later`() async throws {
        let database = try scratch.open()
        let waiting = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await database.write { try $0.insertNote("note \(number)") }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await waiting.value
        await database.close()
        await database.close()
        await #expect(throws: DatabaseError.self) { try await database.read { try $0.titles() } }
        let late = await #expect(throws: DatabaseError.self) {
            try await database.write { try $0.insertNote("late") }
        }
        #expect(late?.kind == .closed)
        let again = try scratch.open()
        #expect(try await again.read { try $0.titles() }.count == 100)
        await again.close()
    }

    @Test func `the file and those beside it are for the owner alone`() async throws {
        let database = try scratch.open()
        try await database.write { try $0.insertNote("a") }
        for ending in ["", "-wal", "-shm"] { #expect(scratch.mode(ending) == 0o600, "\(ending)") }
        await database.close()
    }

    @Test func `a reader sees one snapshot while a writer goes on`() async throws {
        let database = try scratch.open()
        try await database.write { try $0.insertNote("before") }
        let reading = Gate()
        let written = Gate()
        async let seen = database.read { connection in
            let first = try connection.titles()
            reading.open()
            written.wait()
            return [first, try connection.titles()]
        }
        await reading.opened()
        try await database.write { try $0.insertNote("meanwhile") }
        written.open()
        #expect(try await seen == [["before"], ["before"]])
        #expect(try await database.read { try $0.titles() }.count == 2)
        await database.close()
    }

    @Test func `two readers read at the same time`() async throws {
        let database = try scratch.open()
        let first = Gate()
        let second = Gate()
        async let one: Void = database.read { _ in
            first.open()
            second.wait()
        }
        async let other: Void = database.read { _ in
            second.open()
            first.wait()
        }
        _ = try await (one, other)
        await database.close()
    }

    @Test func `a read cannot write`() async throws {
        for database in [
            try scratch.open(),
            try Database(path: ":memory:", durability: .full, migrations: notes),
        ] {
            await #expect(throws: DatabaseError.self) {
                try await database.read { try $0.insertNote("a") }
            }
            try await database.write { try $0.insertNote("b") }
            #expect(try await database.read { try $0.titles() } == ["b"])
            await database.close()
        }
    }

    @Test func `statements are prepared once`() async throws {
        let database = try scratch.open()
        try await database.write { try $0.insertNote("first") }
        let prepared = await database.preparedCount()
        for number in 0..<20 { try await database.write { try $0.insertNote("n\(number)") } }
        #expect(await database.preparedCount() == prepared)
        await database.close()
    }

    @Test func `the log is cut when it grows`() async throws {
        let database = try scratch.open()
        let big = [UInt8](repeating: 7, count: 1 << 20)
        for number in 0..<40 {
            try await database.write { connection in
                try connection.run(
                    "INSERT OR REPLACE INTO notes (id, body) VALUES (?, ?)",
                    [.integer(number % 4), .blob(big)])
            }
        }
        // 40 MiB went through it; it is copied at 16 and starts over.
        #expect(try #require(scratch.size("-wal")) < 30 << 20)
        await database.close()
    }
}
