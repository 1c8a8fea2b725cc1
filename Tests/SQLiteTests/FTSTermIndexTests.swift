import SQLite
import Testing

/// Prefix search in a full-text index.
@Suite(.timeLimit(.minutes(10))) struct FTSTermIndexTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let schema = [
        Migration(
            "words",
            sql: """
                CREATE VIRTUAL TABLE words
                    USING fts5 (text, detail = none, prefix = '1 2 3');
                CREATE VIRTUAL TABLE terms USING fts5vocab (words, instance);
                """)
    ]

    /// The numbers, from 1, of the `texts` that match `words`, and the match expression.
    private func find(_ words: String, in texts: [String]) async throws -> (
        rows: [Int64], match: String
    ) {
        let database = try directory.open(Self.schema)
        let result = try await database.write { connection in
            for text in texts { try connection.run("INSERT INTO words VALUES (?)", [.text(text)]) }
            let match = try FTSTermIndex.matchExpression(
                for: words.split(separator: " "), in: "terms", indexedPrefixLength: 3, connection)
            let rows = try connection.rows(
                "SELECT rowid FROM words WHERE words MATCH ? ORDER BY 1", [.text(match)]
            ) { $0.integer(0) }
            return (rows, match)
        }
        await database.close()
        return result
    }

    @Test func `a prefix that is not indexed is replaced by the terms it matches`() async throws {
        let found = try await find("Exam", in: ["an example", "examples", "exact", "Exam"])
        #expect(found.rows == [1, 2, 4])
        #expect(found.match == #"("exam" OR "example" OR "examples")"#)
    }

    @Test func `an indexed prefix is searched as a prefix`() async throws {
        let found = try await find("exa", in: ["example", "exact", "ex"])
        #expect(found.rows == [1, 2])
        #expect(found.match == #""exa"*"#)
    }

    @Test(arguments: ["jane.d", "jane.doe-4", "jane.doe-42xyz@c"])
    func `a single letter or digit is searched as a prefix`(input: String) async throws {
        let words = input.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        let texts = ["jane doe 42xyz corp", "jane roe", "a c d 4"]
        let found = try await find(words, in: texts)
        #expect(found.rows == [1])
    }

    @Test func `a prefix of many terms is searched as a prefix`() async throws {
        let texts = (1...40).map { "number\($0)" }
        let found = try await find("number", in: texts)
        #expect(found.rows.count == 40)
        #expect(found.match == #""number"*"#)
    }

    @Test func `every word must match`() async throws {
        let found = try await find("login token", in: ["login", "token", "a login's tokens"])
        #expect(found.rows == [3])
    }

    @Test func `a prefix of no term finds nothing`() async throws {
        #expect(try await find("nowhere", in: ["here"]).rows == [])
    }

    @Test func `letters of other scripts are folded by the index`() async throws {
        let found = try await find("ÜBERALL", in: ["überall", "uberall"])
        #expect(found.rows == [1, 2])
    }
}
