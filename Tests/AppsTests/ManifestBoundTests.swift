import FoundationEssentials
import Glibc
import Support
import Testing
import Web

@testable import Apps

/// Manifests that would end the process, or keep it busy.
@Suite(.timeLimit(.minutes(10))) final class ManifestBoundTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/manifest-bound-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func error(ofApp id: String) throws -> ManifestError? {
        let catalogue = AppCatalog(folders: [folder], now: { Date() })
        for entry in catalogue.entries() { if case .broken(id, let error) = entry { return error } }
        return nil
    }

    private func make(_ id: String) throws -> String {
        let place = folder + "/" + id
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        return place + "/app.json5"
    }

    @Test func `a manifest is a regular file of the folder`() throws {
        #expect(symlink("/etc/passwd", try make("users")) == 0)
        #expect(symlink("/dev/zero", try make("zero")) == 0)
        #expect(mkfifo(try make("pipe"), 0o600) == 0)
        let other = folder + "-other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: other) }
        try Data("{}".utf8).write(to: URL(filePath: other + "/app.json5"))
        #expect(symlink(other, folder + "/linked") == 0)
        for id in ["users", "zero", "pipe", "linked"] {
            let error = try #require(try error(ofApp: id), "\(id)")
            #expect(error.detail.contains("no regular file"), "\(id)")
        }
    }

    @Test func `a manifest is no larger than a few pages`() throws {
        try Data(repeating: 0x20, count: 1 << 20 + 1).write(to: URL(filePath: try make("large")))
        let error = try #require(try error(ofApp: "large"))
        #expect(error.detail.contains("larger than 1 MiB"))
    }

    @Test(arguments: ["[", "{a:", "[[", "[{a:"]) func `values stand in one another up to a depth`(
        open: String
    ) {
        let error = #expect(throws: JSON5Parser.Failure.self) {
            try JSON5Parser.parse(Array(String(repeating: open, count: 200_000).utf8))
        }
        #expect(error?.detail == "values stand more than 64 deep")
    }

    @Test func `an object or a list has so many values and no more`() throws {
        for (open, piece, close) in [("[", "1,", "]"), ("{", "a#:1,", "}")] {
            for count in [1_000, 1_001] {
                let text =
                    open + (0..<count).map { piece.replacing("#", with: String($0)) }.joined()
                    + close
                let document = try? JSON5Parser.parse(Array(text.utf8))
                #expect((document != nil) == (count == 1_000))
            }
        }
    }

    @Test(arguments: [
        String(repeating: "a|", count: 500_000),
        String(repeating: "(?:", count: 300_000),
        String(repeating: "[", count: 1_000_000),
        String(repeating: "a", count: 1_000_000),
        String(repeating: "[a-z]{2000}", count: 300),
        String(repeating: "(?:", count: 30) + "a" + String(repeating: "{1999})", count: 30),
        String(repeating: "|", count: 4_000),
    ]) func `a pattern that is too large is refused`(source: String) {
        #expect(throws: PatternError.self) { try Pattern(source) }
    }

    @Test func `a pattern with many branches matches each`() throws {
        let words = (0..<150).map { "a\($0)" }
        let pattern = try Pattern(words.joined(separator: "|"))
        #expect(words.allSatisfy(pattern.matches))
        #expect(!pattern.matches("a150"))
        #expect(!pattern.matches("a1|"))
    }

    // MARK: By chance

    /// `value` as JSON5 has it, in one of the many ways it may be written.
    private func written(_ value: JSON, _ fuzz: inout Fuzz) -> String {
        func blank() -> String {
            fuzz.one(of: ["", "", " ", "\n", "\r\n\t", "// é ]\n", "/* } */", "\u{A0}"])
        }
        let (before, after) = (blank(), blank())
        let trailing = fuzz.one(of: ["", ","])
        let text: String
        switch value {
        case .array(let elements):
            let parts = elements.map { written($0, &fuzz) }.joined(separator: ",")
            text = "[\(parts)\(elements.isEmpty ? "" : trailing)]"
        case .object(let members):
            let parts = members.map { member in
                let name = written(.string(member.name), &fuzz)
                let plain = ["a", "B", "$", "aB"].contains(member.name)
                return "\(plain ? member.name : name):\(written(member.value, &fuzz))"
            }
            text = "{\(parts.joined(separator: ","))\(members.isEmpty ? "" : trailing)}"
        case .string(let words): text = quoted(words, &fuzz)
        case .int(let number) where number >= 0:
            text = fuzz.one(of: ["+\(number)", "0x" + String(number, radix: 16), "\(number)"])
        default: text = value.description
        }
        return before + text + after
    }

    private func quoted(_ words: String, _ fuzz: inout Fuzz) -> String {
        let quote = fuzz.one(of: ["'", "\""])
        var text = ""
        for scalar in words.unicodeScalars {
            if fuzz.chance(oneIn: 12) { text += "\\\n" }
            let hex = String(scalar.value, radix: 16)
            if scalar.value < 0x20 || fuzz.chance(oneIn: 8), scalar.value < 0x1_0000 {
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            } else if String(scalar) == quote || scalar == "\\" {
                text += "\\\(scalar)"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return quote + text + quote
    }

    @Test func `however a value is written as JSON5, it is that value`() async {
        await Cases("JSON5 that is written").check(oneIn: 2) { fuzz in
            let value = fuzz.json()
            let text = written(value, &fuzz)
            // Two keys are one if a person cannot tell them apart.
            guard !hasLookAlikes(value) else { return false }
            let read = try JSON5Parser.parse(Array(text.utf8))
            try #require(read.json.comparable == value.comparable, "\(text)")
            try #require(
                read.json.description.utf8.elementsEqual(value.description.utf8), "\(text)")
            return true
        }
    }

    private func hasLookAlikes(_ json: JSON) -> Bool {
        switch json {
        case .array(let elements): elements.contains(where: hasLookAlikes)
        case .object(let members):
            Set(members.map(\.name)).count < members.count
                || members.contains { hasLookAlikes($0.value) }
        default: false
        }
    }

    @Test func `whatever a manifest is, it is read or refused on its line`() async {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "a", "'b'", "\"c\"", "0x1F",
            "-.5", "5.", "1e9", "+", "//x\n", "/* */", "/*", "\\", "\\u00e9",
            "'\\uD83D\\uDE00'", "'\\uD83D'", "'\\u+123'", "'\\x-1'", "\n", "\r\n", " ", "true",
            "null", "NaN", "é", "\u{A0}", "\u{FEFF}", "'", "\"",
        ]
        let whole = "{a: [1, 'b\\\n', {c: true, \"d\": -0x1F}], e: .5, /**/}\n"
        await Cases("JSON5 that is read", few: 1_000).check(oneIn: 20) { fuzz in
            let bytes =
                fuzz.chance(oneIn: 2)
                ? fuzz.damaged(whole) : Array(fuzz.text(of: pieces, upTo: 8).utf8)
            do {
                let read = try JSON5Parser.parse(bytes).json
                let again = try JSON5Parser.parse(read.bytes)
                try #require(again.json == read)
                return true
            } catch let error as JSON5Parser.Failure {
                let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
                try #require((1...lines).contains(error.line), "\(bytes)")
            }
            return false
        }
    }

    @Test func `whatever a pattern is, it means what others take it for`() async {
        let pieces = [
            "a", "b", "ab", "|", "*", "+", "?", "(?:", ")", "(", "[ab]",
            "[^a]", "[a-c]", ".", "{2}", "{1,2}", "{0,}", "\\d", "\\w",
            "^", "$", "\\b", "\\.", "{", "}", "\\", "-", "{3,2}",
        ]
        let values = ["", "a", "b", "ab", "aab", "abab", "c1", "a.b", "ba c"]
        await Cases("patterns", few: 1_000).check(oneIn: 10) { fuzz in
            let source = fuzz.text(of: pieces, upTo: 7)
            guard let pattern = try? Pattern(source),
                let other = try? Regex(source).wordBoundaryKind(.simple)
            else { return false }
            for value in values {
                try #require(
                    pattern.matches(value) == (value.wholeMatch(of: other) != nil),
                    "\(source) \(value)")
            }
            return true
        }
    }
}
