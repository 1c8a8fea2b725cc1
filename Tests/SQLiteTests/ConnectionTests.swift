import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    let database: Database

    init() throws {
        database = try Database(path: ":memory:", durability: .full, migrations: notes)
    }

    static let texts = [
        "", "a", "a\0b", "Grüße, 世界 👋🏽", "'; DROP TABLE notes; --",
        String(repeating: "long ", count: 1_000), String(repeating: "ü", count: 512),
    ]

    @Test(arguments: texts) func `a text is read as it was written`(_ text: String) async throws {
        let result = try await database.write { connection in
            try connection.insertNote(text)
            return try connection.text("SELECT title FROM notes WHERE title = ?", [.text(text)])
        }
        #expect(result == text)
    }

    @Test(arguments: [0, 1, 1_023, 1_024, 100_000]) func `bytes are read as they were written`(
        _ count: Int
    ) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let result = try await database.write { connection in
            try connection.run(
                "INSERT INTO notes (title, body, weight) VALUES (?, ?, ?)",
                [.text("\(count)"), .blob(bytes), .real(0.5)])
            return try connection.row("SELECT body, weight FROM notes") {
                ($0.blob(0), $0.real(1))
            }
        }
        #expect(result?.0 == bytes)
        #expect(result?.1 == 0.5)
    }

    @Test func `one statement can bind several long values`() async throws {
        let long = (0..<5).map { String(repeating: "\($0)", count: 5_000) }
        let result = try await database.read { connection in
            try connection.row("SELECT ?, ?, ?, ?, ?", long.map { Value.text($0) }) { row in
                (0..<5).map { row.text($0) }
            }
        }
        #expect(result == long)
    }

    @Test func `null is distinct from the empty text and from zero`() async throws {
        let checks = try await database.read { connection in
            try connection.row(
                "SELECT ?, ?, ?, ?",
                [.text(String?.none), .text(""), .integer(Int64?.none), .integer(0)]
            ) { row in
                [
                    row.optionalText(0) == nil, row.optionalText(1) == "",
                    row.optionalInteger(2) == nil,
                    row.optionalInteger(3) == 0, row.optionalReal(0) == nil,
                    row.text(0) == "", row.integer(2) == 0,
                ]
            }
        }
        #expect(checks?.allSatisfy { $0 } == true)
    }

    @Test func `a statement can run again while its own rows are read`() async throws {
        let pairs = try await database.write { connection in
            for title in ["a", "b"] { try connection.insertNote(title) }
            return try connection.rows("SELECT title FROM notes ORDER BY id") { outer in
                let title = outer.text(0)
                let all = try connection.rows("SELECT title FROM notes ORDER BY id") { $0.text(0) }
                return title + ":" + all.joined()
            }
        }
        #expect(pairs == ["a:ab", "b:ab"])
    }

    @Test func `an error while rows are read does not affect later statements`() async throws {
        try await database.write { connection in
            for title in ["a", "b"] { try connection.insertNote(title) }
        }
        await #expect(throws: TestError.self) {
            try await database.read { connection in
                try connection.rows("SELECT title FROM notes") { _ -> String in throw TestError() }
            }
        }
        #expect(try await database.read { try $0.titles() } == ["a", "b"])
    }

    @Test func `the change count and the last inserted id are those of the last statement`()
        async throws
    {
        let results = try await database.write { connection in
            for title in ["a", "b", "c"] { try connection.insertNote(title) }
            let last = connection.lastInsertedID
            try connection.run("UPDATE notes SET weight = 1")
            return (last, connection.changedRowCount)
        }
        #expect(results == (3, 3))
    }

    @Test func `an error names the statement and never a value`() async throws {
        let secret = "hunter2-and-more"
        let statements: [StaticSQL] = [
            "INSERT INTO notes (title) VALUES (?)", "SELECT json(?)",
            "SELECT * FROM search WHERE search MATCH ?",
        ]
        try await database.write { connection in
            try connection.run("CREATE VIRTUAL TABLE search USING fts5(a)")
            try connection.insertNote("\"(\(secret)")
        }
        for sql in statements {
            let error = await #expect(throws: DatabaseError.self) {
                try await database.write { try $0.run(sql, [.text("\"(\(secret)")]) }
            }
            #expect(error.map { "\($0)".contains("hunter2") } == false)
            #expect(error?.detail.contains(sql.text) == true)
        }
    }

    @Test(
        arguments: ["SELECT", "SELECT 1; SELECT 2", "", "SELECT ?", "SELECT ?, ?, ?"] as [StaticSQL]
    ) func `a mistake in the SQL is reported as misuse`(_ sql: StaticSQL) async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await database.read { try $0.run(sql, [.integer(1), .integer(2)]) }
        }
        #expect(error?.kind == .misuse)
    }

    @Test func `a foreign key without a target is rejected`() async throws {
        try await database.write { connection in
            try connection.run("CREATE TABLE strict_links (n REFERENCES notes)")
        }
        let error = await #expect(throws: DatabaseError.self) {
            try await database.write { try $0.run("INSERT INTO strict_links VALUES (7)") }
        }
        #expect(error?.kind == .constraint)
    }

    @Test func `more statements than the cache holds still run`() async throws {
        let isCorrect = try await database.read { connection in
            try (1...600).allSatisfy { count in
                let sql: StaticSQL = "SELECT 1 IN (\(StaticSQL.placeholders(count)))"
                let values = Array(repeating: Value.integer(1), count: count)
                return try connection.integer(sql, values) == 1
            }
        }
        #expect(isCorrect)
    }
}

@Suite(.timeLimit(.minutes(10))) struct StaticSQLTests {
    @Test func `parts are joined in order`() {
        let parts: [StaticSQL] = ["a = ?", "b = ?"]
        let condition = StaticSQL.joined(parts, separator: " AND ")
        let sql: StaticSQL = "SELECT * FROM t WHERE \(condition) LIMIT 1"
        #expect(sql.text == "SELECT * FROM t WHERE a = ? AND b = ? LIMIT 1")
        #expect(StaticSQL.placeholders(3).text == "?, ?, ?")
        #expect(StaticSQL.placeholders(0).text == "")
    }
}
