import SQLite
import Testing

/// Words looked up in a full-text index by how they begin.
@Suite(.timeLimit(.minutes(10))) struct FTSTermIndexTests {
    let scratch: TemporaryDirectory
    let vocabulary = FTSTermIndex(table: "terms", indexedPrefixLength: 3)

    init() throws { scratch = try TemporaryDirectory() }

    private static let schema = [
        Migration(
            "words",
            sql: """
                CREATE VIRTUAL TABLE words
                    USING fts5 (text, detail = none, prefix = '1 2 3');
                CREATE VIRTUAL TABLE terms USING fts5vocab (words, instance);
                """)
    ]

    /// The rows, from 1, of `texts` in which `words` are found, and what was
    /// asked for.
    private func find(_ words: String, in texts: [String]) async throws -> (
        rows: [Int64], match: String
    ) {
        let database = try scratch.open(Self.schema)
        let found = try await database.write { [vocabulary] connection in
            for text in texts { try connection.run("INSERT INTO words VALUES (?)", [.text(text)]) }
            let match = try vocabulary.makeMatchExpression(words.split(separator: " "), connection)
            let rows = try connection.rows(
                "SELECT rowid FROM words WHERE words MATCH ? ORDER BY 1", [.text(match)]
            ) { $0.integer(0) }
            return (rows, match)
        }
        await database.close()
        return found
    }

    @Test func `a long beginning is asked for as the words it stands for`() async throws {
        let found = try await find("Exam", in: ["an example", "examples", "exact", "Exam"])
        #expect(found.rows == [1, 2, 4])
        #expect(found.match == #"("exam" OR "example" OR "examples")"#)
    }

    @Test func `a beginning the index has a list of is left to it`() async throws {
        let found = try await find("exa", in: ["example", "exact", "ex"])
        #expect(found.rows == [1, 2])
        #expect(found.match == #""exa"*"#)
    }

    @Test(arguments: ["jane.d", "jane.doe-4", "jane.doe-42xyz@c"])
    func `a single letter begins a word`(typed: String) async throws {
        let words = typed.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        let texts = ["jane doe 42xyz corp", "jane roe", "a c d 4"]
        let found = try await find(words, in: texts)
        #expect(found.rows == [1])
    }

    @Test func `more words than a few are left to the index`() async throws {
        let texts = (1...40).map { "number\($0)" }
        let found = try await find("number", in: texts)
        #expect(found.rows.count == 40)
        #expect(found.match == #""number"*"#)
    }

    @Test func `every word has to be there`() async throws {
        let found = try await find("login token", in: ["login", "token", "a login's tokens"])
        #expect(found.rows == [3])
    }

    @Test func `a beginning of nothing finds nothing`() async throws {
        #expect(try await find("nowhere", in: ["here"]).rows == [])
    }

    @Test func `letters of other scripts are folded by the index`() async throws {
        let found = try await find("ÜBERALL", in: ["überall", "uberall"])
        #expect(found.rows == [1, 2])
    }
}
