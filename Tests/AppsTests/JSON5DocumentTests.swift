import FoundationEssentials
import Support
import Testing
import Web

@testable import Apps

@Suite(.timeLimit(.minutes(10))) struct JSON5DocumentTests {
    private func parse(_ text: String) throws -> JSON5Document {
        try JSON5Parser.parse(Array(text.utf8))
    }

    @Test func `members keep their order`() throws {
        let document = try parse("{ zebra: 1, 'ape': 2, \"mouse\": 3 }")
        guard case .object(let members) = document.json else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.name) == ["zebra", "ape", "mouse"])
    }

    @Test func `a path has the line of its key or element`() throws {
        let document = try parse("{\n  a: {\n    // word\n    b:\n      [1,\n       2] } }")
        #expect(document.line(at: ["a"]) == 2)
        #expect(document.line(at: ["a", "b"]) == 4)
        #expect(document.line(at: ["a", "b", "1"]) == 6)
    }

    @Test func `a missing path has the line of its nearest ancestor`() throws {
        let document = try parse("{\n  a: {\n    b: 1 } }")
        #expect(document.line(at: ["a", "c", "d"]) == 2)
    }

    @Test(
        arguments: [
            "null", "true", "[]", "{}", "[1,]", "{a:1,}", "{ $_a1: 'ü' }",
            "0", "-0", "+7", ".5", "5.", "-1.5e3", "1E-2", "0xFF", "-0x1f",
            "9223372036854775807", "'it\\'s'", "'\\x41\\u00e9'",
            "'\\u{0}'", "/* a */ [ // b\n 1 ]", "{'a b': 'c'}",
            "'\\uD83D\\uDE00'", "{ a: { b: [ { c: null } ] } }",
            "", "{", "[1 2]", "{a 1}", "{a:}", "'open", "/* open", "01",
            "nil", "{} {}", "'a\nb'", "{,}", "[,]", "{1:2}", "0x", "1e", "--1",
        ])
    func `a text parses as Foundation's JSON5 decoder parses it`(
        text: String
    ) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let expected = try? decoder.decode(JSON.self, from: Data(text.utf8))
        let read = try? parse(text).json
        #expect(read?.comparable == expected?.comparable)
    }

    /// Where Foundation is stricter or differs, the JSON5 specification decides.
    @Test(arguments: [("'a\\\nb'", "ab"), ("'\\q'", "q"), ("'\\v\\0'", "\u{0B}\0")])
    func `an escape is decoded as JSON5 specifies`(text: String, value: String) throws {
        #expect(try parse(text).json == .string(value))
    }

    @Test(arguments: ["'\\u+123'", "'\\x-0'", "'\\u-000'"])
    func `a numeric escape with a sign is refused`(
        text: String
    ) { #expect(throws: JSON5Parser.Failure.self) { try parse(text) } }

    @Test(arguments: ["\u{A0}", "\u{FEFF}", "\u{2028}", "\u{2029}"])
    func `non-ASCII white space ends a word or a number`(blank: String) throws {
        #expect(
            try parse("{a\(blank):[null\(blank),1\(blank)]}").json == ["a": [nil, 1]])
    }

    @Test func `a duplicate key is reported with its line`() {
        #expect(
            throws: JSON5Parser.Failure(
                line: 3, detail: "Duplicate key a", fix: "Keep one of them.")
        ) { try parse("{\n a: 1,\n a: 2 }") }
    }

    @Test func `deep nesting is refused without exhausting the stack`() {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: JSON5Parser.Failure.self) { try parse(text) }
    }

    @Test func `text that is not UTF-8 is refused`() {
        #expect(throws: JSON5Parser.Failure.self) { try JSON5Parser.parse([0x27, 0xFF, 0x27]) }
    }
}
