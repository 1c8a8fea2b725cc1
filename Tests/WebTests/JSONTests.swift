import FoundationEssentials
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct JSONTests {
    @Test func `an index beyond an array has no element`() {
        let json: JSON = ["a", nil]
        #expect(json[1] == .some(.null))
        #expect(json[2] == .none)
        #expect(JSON.string("a")[0] == .none)
    }

    @Test func `serialized JSON is parsed to the same value`() throws {
        let json: JSON = ["a": [1, 2.5, true, nil, "q\"\\\n\u{1}ü"], "b": ["c": .object([])]]
        #expect(try JSON(parsing: json.bytes) == json)
    }

    @Test func `control characters are escaped and nothing else`() {
        #expect(JSON.string("a\u{0}\u{1F}/<é>").description == #""a\u0000\u001f/<é>""#)
    }

    @Test func `a number that JSON cannot represent is written as null`() {
        #expect(JSON.double(.nan).description == "null")
        #expect(JSON.double(.infinity).description == "null")
    }

    @Test(arguments: ["", "{", "nul", "{\"a\":}", "\u{0}"]) func `invalid JSON throws an error`(
        _ text: String
    ) { #expect(throws: (any Error).self) { try JSON(parsing: text) } }

    @Test func `times are formatted with milliseconds`() {
        let date = Date(timeIntervalSince1970: 1_795_271_715.188)
        #expect(date.iso8601 == "2026-11-21T14:35:15.188Z")
        #expect(Date(iso8601: "2026-11-21T14:35:15.188Z")?.iso8601 == date.iso8601)
        #expect(Date(iso8601: "yesterday") == nil)
    }
}
