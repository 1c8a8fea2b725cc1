import FoundationEssentials
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct JSONReaderTests {
    private func read(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }

    @Test(
        arguments: [
            ("null", JSON.null), ("true", true), (" false ", false), ("0", 0),
            ("-0", 0), ("-12", -12), ("1.5", 1.5), ("1e2", 100.0),
            ("1E+2", 100.0),
            ("\"\"", ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u00e9\uD83D\uDE00""#, "é😀"), ("\"é😀\"", "é😀"),
            ("[]", []), ("[1, [2]]", [1, [2]]), ("{}", [:]),
            (#"{"b":1,"a":{"c":[]}}"#, ["b": 1, "a": ["c": []]]),
            ("\u{FEFF}1", 1),
        ] as [(String, JSON)])
    func `a valid value is parsed`(text: String, value: JSON) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "01", "-", "1.", ".5", "1e", "+1", "0x1",
        "'a'", "\"a", "\"\t\"", #""\q""#, #""\u12""#, #""\ud800""#,
        #""\ud800\u0041""#, #""\udc00""#, "[1,]", "[1 2]", "[", "{\"a\"}",
        "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1", "1 2", "NaN", "1e400",
        #""\ud800\"#, "\"\\",
    ]) func `text that RFC 8259 does not allow is rejected`(text: String) {
        #expect(throws: JSONReader.Failure.self) { try read(text) }
    }

    @Test func `members keep their order, and the last of two duplicates wins`() throws {
        #expect(try read(#"{"z":1,"a":2,"z":3}"#) == ["z": 3, "a": 2])
        let many = (0..<40).map { "\"k\($0 % 30)\":\($0)" }.joined(separator: ",")
        guard case .object(let members) = try read("{\(many)}") else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.name) == (0..<30).map { "k\($0)" })
        #expect(members[3].value == 33)
        #expect(members[29].value == 29)
    }

    @Test(arguments: [("[1,[2],{\"a\":3}]", 6), ("0", 1), ("[]", 1)])
    func `the number of values is limited if a maximum is given`(text: String, values: Int) throws {
        let bytes = Array(text.utf8)
        _ = try JSONReader.read(bytes, maxValues: values)
        #expect(throws: JSONReader.Failure.self) {
            try JSONReader.read(bytes, maxValues: values - 1)
        }
    }

    @Test func `the nesting depth is limited`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(64)) }
        #expect(throws: JSONReader.Failure.self) { try read(nested(65)) }
        #expect(throws: Never.self) { try read("[" + nested(60) + "," + nested(60) + "]") }
    }

    @Test func `invalid UTF-8 is rejected`() {
        #expect(throws: JSONReader.Failure.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
    }

    @Test func `an error gives the byte position and none of the text`() throws {
        let failure = try #require(throws: JSONReader.Failure.self) {
            try read(#"{"password":"hunter2" x}"#)
        }
        #expect(failure.detail == "unterminated object (byte 22)")
    }

    @Test func `a serialized value is parsed to the same value`() throws {
        let value: JSON = ["a": [1, 2.5, "é\u{1}\"\\", nil, true], "b": ["c": [:]]]
        #expect(try JSONReader.read(value.bytes) == value)
    }

    // MARK: Randomized

    @Test func `any random value is serialized and parsed to the same value`() async {
        await Cases("JSON that is written").check(oneIn: 1) { fuzz in
            let value = fuzz.json()
            let parsed = try JSONReader.read(value.bytes)
            try #require(parsed == value)
            // Strings of different scalars can be equal; their bytes cannot.
            try #require(parsed.bytes == value.bytes)
            return true
        }
    }

    @Test func `any random text is parsed as Foundation parses it, or rejected with a position`()
        async
    {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\":", "\"\\u00e9\"", "\"\\ud83d",
            "\\ude00\"", "0", "-", "12", ".5", "e3", "E-2", "1e400", "true", "null", " ", "\n",
            "\"", "\\", "/", "é", "\t", "9223372036854775808", "-0", "+", "\u{B}", "\u{A0}",
        ]
        await Cases("JSON that is read").check(oneIn: 8) { fuzz in
            let bytes =
                fuzz.chance(oneIn: 2)
                ? fuzz.damaged(fuzz.json().bytes) : Array(fuzz.text(of: pieces, upTo: 9).utf8)
            let parsed: JSON?
            do throws(JSONReader.Failure) {
                parsed = try JSONReader.read(bytes, keepsDuplicateNames: true)
            } catch {
                parsed = nil
                let position = error.detail.split(separator: " ").last?.dropLast()
                let byte = try #require(position.flatMap { Int($0) }, "\(error.detail)")
                try #require((0...bytes.count).contains(byte), "\(error.detail)")
            }
            let text = String(decoding: bytes, as: UTF8.self)
            // Foundation repairs invalid UTF-8, and chooses differently among duplicate members.
            guard Array(text.utf8) == bytes else { return parsed == nil }
            // It also accepts a trailing comma after some numbers.
            let compact = text.filter { !$0.isWhitespace }
            if parsed == nil, compact.contains(",]") || compact.contains(",}") { return false }
            let expected = try? JSONDecoder().decode(JSON.self, from: Data(bytes))
            guard parsed.map(hasDuplicateNames) != true else { return false }
            try #require(parsed?.comparable == expected?.comparable, "\(text)")
            return parsed != nil
        }
    }

    private func hasDuplicateNames(_ json: JSON) -> Bool {
        switch json {
        case .array(let elements): elements.contains(where: hasDuplicateNames)
        case .object(let members):
            Set(members.map(\.name)).count < members.count
                || members.contains { hasDuplicateNames($0.value) }
        default: false
        }
    }
}
