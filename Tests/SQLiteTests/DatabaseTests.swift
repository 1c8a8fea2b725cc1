import FoundationEssentials
import Glibc
import Support
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(10))) struct DatabaseTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `a reader sees what was written`() async throws {
        let database = try directory.open()
        try await database.write { try $0.insertNote("a") }
        #expect(try await database.read { try $0.titles() } == ["a"])
        await database.close()
    }

    @Test func `a backlog is processed in steps`() async throws {
        let database = try directory.open()
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

    @Test func `a killed process loses no committed write`() async throws {
        let database = try directory.open()
        for title in ["a", "b", "c"] { try await database.write { try $0.insertNote(title) } }
        // The files in their current state: not closed, not checkpointed.
        let copy = try TemporaryDirectory()
        try directory.copyFiles(to: copy)
        let reopened = try copy.open()
        #expect(try await reopened.read { try $0.titles() } == ["a", "b", "c"])
        await reopened.close()
        await database.close()
    }

    /// It would need space, which a full disk does not have.
    @Test func `opening does not copy the log of a killed process into the file`() async throws {
        let database = try directory.open()
        try await database.write { try $0.insertNote("a") }
        let copy = try TemporaryDirectory()
        try directory.copyFiles(to: copy)
        let content = FileManager.default.contents(atPath: copy.path)
        let reopened = try copy.open()
        #expect(FileManager.default.contents(atPath: copy.path) == content)
        await reopened.close()
        await database.close()
    }

    @Test func `a corrupt end of the log loses no committed write`() async throws {
        let database = try directory.open()
        try await database.write { try $0.insertNote("answered") }
        let copy = try TemporaryDirectory()
        try directory.copyFiles(to: copy)
        let log = try #require(fopen(copy.path + "-wal", "a"))
        fputs(String(repeating: "torn", count: 2_000), log)
        fclose(log)
        let reopened = try copy.open()
        #expect(try await reopened.read { try $0.titles() } == ["answered"])
        await reopened.close()
        await database.close()
    }

    @Test func `a database that was not closed can be opened again`() async throws {
        try await directory.open().write { try $0.insertNote("a") }
        let database = try directory.open()
        #expect(try await database.read { try $0.titles() } == ["a"])
        await database.close()
    }

    @Test func `closing leaves one file and no log`() async throws {
        let database = try directory.open()
        try await database.write { try $0.insertNote("a") }
        // The log exists while the database is open; an idle checkpoint may have emptied it.
        #expect(directory.size("-wal") != nil)
        await database.close()
        #expect(directory.size("-wal") == nil)
        #expect(directory.size("-shm") == nil)
    }

    @Test func `reads during closing see what was written or are rejected`() async throws {
        for round in 0..<20 {
            let database = try directory.open()
            try await database.write { try $0.insertNote("note \(round)") }
            let count = try await database.read { try $0.titles().count }
            async let closed: Void = database.close()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        do {
                            let titles = try await database.read(isLong: number % 8 == 0) {
                                try $0.titles()
                            }
                            #expect(titles.count == count)
                        } catch {
                            #expect((error as? DatabaseError)?.kind == .closed)
                        }
                    }
                }
            }
            await closed
        }
    }

    @Test func `closing preserves earlier writes and rejects later ones`() async throws {
        let database = try directory.open()
        let writes = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await database.write { try $0.insertNote("note \(number)") }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await writes.value
        await database.close()
        await database.close()
        await #expect(throws: DatabaseError.self) { try await database.read { try $0.titles() } }
        let late = await #expect(throws: DatabaseError.self) {
            try await database.write { try $0.insertNote("late") }
        }
        #expect(late?.kind == .closed)
        let reopened = try directory.open()
        #expect(try await reopened.read { try $0.titles() }.count == 100)
        await reopened.close()
    }

    @Test(arguments: [Database.Durability.full, .normal])
    func `a new file is on disk, and commits wait for the disk as configured`(
        durability: Database.Durability
    ) async throws {
        for _ in 0..<2 {
            let database = try Database(
                path: directory.path, durability: durability, migrations: notes)
            #expect(try #require(directory.size("")) > 4_096)
            let level = try await database.write { try $0.integer("PRAGMA synchronous") }
            #expect(level == (durability == .full ? 2 : 1))
            await database.close()
        }
    }

    @Test func `the database files are accessible only to their owner`() async throws {
        let database = try directory.open()
        try await database.write { try $0.insertNote("a") }
        for suffix in ["", "-wal", "-shm"] { #expect(directory.mode(suffix) == 0o600, "\(suffix)") }
        await database.close()
    }

    @Test func `a reader sees one snapshot while a writer commits`() async throws {
        let database = try directory.open()
        try await database.write { try $0.insertNote("before") }
        let reading = Gate()
        let written = Gate()
        async let titles = database.read(isLong: true) { connection in
            let first = try connection.titles()
            reading.open()
            written.wait()
            return [first, try connection.titles()]
        }
        await reading.opened()
        try await database.write { try $0.insertNote("meanwhile") }
        written.open()
        #expect(try await titles == [["before"], ["before"]])
        #expect(try await database.read { try $0.titles() }.count == 2)
        await database.close()
    }

    @Test func `a short read runs on the caller's thread, and waits if no reader is idle`()
        async throws
    {
        let database = try directory.open(readers: 1)
        try await database.write { try $0.insertNote("a") }
        let caller = pthread_self()
        #expect(try await database.read { _ in pthread_equal(pthread_self(), caller) } != 0)
        let isReading = Gate()
        let mayEnd = Gate()
        async let long: Void = database.read(isLong: true) { _ in
            isReading.open()
            mayEnd.wait()
        }
        await isReading.opened()
        async let short = database.read { try $0.titles() }
        mayEnd.open()
        #expect(try await short == ["a"])
        try await long
        await database.close()
    }

    @Test func `two readers run concurrently`() async throws {
        let database = try directory.open()
        let first = Gate()
        let second = Gate()
        async let one: Void = database.read(isLong: true) { _ in
            first.open()
            second.wait()
        }
        async let other: Void = database.read(isLong: true) { _ in
            second.open()
            first.wait()
        }
        _ = try await (one, other)
        await database.close()
    }

    @Test func `a read cannot write`() async throws {
        for database in [
            try directory.open(),
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
        let database = try directory.open()
        try await database.write { try $0.insertNote("first") }
        let prepared = await database.preparedCount()
        for number in 0..<20 { try await database.write { try $0.insertNote("n\(number)") } }
        #expect(await database.preparedCount() == prepared)
        await database.close()
    }

    @Test func `a growing log is truncated`() async throws {
        let database = try directory.open()
        let large = [UInt8](repeating: 7, count: 1 << 20)
        for number in 0..<40 {
            try await database.write { connection in
                try connection.run(
                    "INSERT OR REPLACE INTO notes (id, body) VALUES (?, ?)",
                    [.integer(number % 4), .blob(large)])
            }
        }
        // 40 MiB were written; the log is copied at 16 MiB and restarts.
        #expect(try #require(directory.size("-wal")) < 30 << 20)
        await database.close()
    }
}
