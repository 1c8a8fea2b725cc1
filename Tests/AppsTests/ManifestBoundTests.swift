import FoundationEssentials
import Glibc
import Support
import Testing
import Web

@testable import Apps

/// Manifests that could crash the process or keep it busy.
@Suite(.timeLimit(.minutes(10))) final class ManifestBoundTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/manifest-bound-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func error(ofApp id: String) throws -> ManifestError? {
        let catalog = AppCatalog(folders: [folder], now: { Date() })
        for entry in catalog.entries() { if case .broken(id, let error) = entry { return error } }
        return nil
    }

    /// Makes an app's folder and returns the path of its manifest.
    private func makeManifestPath(_ id: String) throws -> String {
        let appFolder = folder + "/" + id
        try FileManager.default.createDirectory(
            atPath: appFolder, withIntermediateDirectories: true)
        return appFolder + "/app.json5"
    }

    @Test func `a manifest that is not a regular file of the folder is refused`() throws {
        #expect(symlink("/etc/passwd", try makeManifestPath("users")) == 0)
        #expect(symlink("/dev/zero", try makeManifestPath("zero")) == 0)
        #expect(mkfifo(try makeManifestPath("pipe"), 0o600) == 0)
        let other = folder + "-other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: other) }
        try Data("{}".utf8).write(to: URL(filePath: other + "/app.json5"))
        #expect(symlink(other, folder + "/linked") == 0)
        for id in ["users", "zero", "pipe", "linked"] {
            let error = try #require(try error(ofApp: id), "\(id)")
            #expect(error.detail.contains("not a regular file"), "\(id)")
        }
    }

    @Test func `a manifest larger than 1 MiB is refused`() throws {
        try Data(repeating: 0x20, count: 1 << 20 + 1).write(
            to: URL(filePath: try makeManifestPath("large")))
        let error = try #require(try error(ofApp: "large"))
        #expect(error.detail.contains("larger than 1 MiB"))
    }

    @Test(arguments: ["[", "{a:", "[[", "[{a:"]) func `values nested more than 64 deep are refused`(
        open: String
    ) {
        let error = #expect(throws: JSON5Parser.Failure.self) {
            try JSON5Parser.parse(Array(String(repeating: open, count: 200_000).utf8))
        }
        #expect(error?.detail == "Values nested more than 64 deep")
    }

    @Test func `an object or a list has at most 1,000 values`() throws {
        for (open, element, close) in [("[", "1,", "]"), ("{", "a#:1,", "}")] {
            for count in [1_000, 1_001] {
                let text =
                    open + (0..<count).map { element.replacing("#", with: String($0)) }.joined()
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
        let branches = (0..<150).map { "a\($0)" }
        let pattern = try Pattern(branches.joined(separator: "|"))
        #expect(branches.allSatisfy(pattern.matches))
        #expect(!pattern.matches("a150"))
        #expect(!pattern.matches("a1|"))
    }

    // MARK: Generated cases

    /// `value` in one of its many JSON5 notations.
    private func json5(_ value: JSON, _ fuzz: inout Fuzz) -> String {
        func blank() -> String {
            fuzz.one(of: ["", "", " ", "\n", "\r\n\t", "// é ]\n", "/* } */", "\u{A0}"])
        }
        let (before, after) = (blank(), blank())
        let trailing = fuzz.one(of: ["", ","])
        let text: String
        switch value {
        case .array(let elements):
            let parts = elements.map { json5($0, &fuzz) }.joined(separator: ",")
            text = "[\(parts)\(elements.isEmpty ? "" : trailing)]"
        case .object(let members):
            let parts = members.map { member in
                let name = json5(.string(member.name), &fuzz)
                let plain = ["a", "B", "$", "aB"].contains(member.name)
                return "\(plain ? member.name : name):\(json5(member.value, &fuzz))"
            }
            text = "{\(parts.joined(separator: ","))\(members.isEmpty ? "" : trailing)}"
        case .string(let string): text = quoted(string, &fuzz)
        case .int(let number) where number >= 0:
            text = fuzz.one(of: ["+\(number)", "0x" + String(number, radix: 16), "\(number)"])
        default: text = value.description
        }
        return before + text + after
    }

    private func quoted(_ string: String, _ fuzz: inout Fuzz) -> String {
        let quote = fuzz.one(of: ["'", "\""])
        var text = ""
        for scalar in string.unicodeScalars {
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

    @Test func `every JSON5 notation of a value is read as that value`() async {
        await Cases("JSON5 that is written").check(oneIn: 2) { fuzz in
            let value = fuzz.json()
            let text = json5(value, &fuzz)
            // Canonically equivalent keys are duplicates, which the parser refuses.
            guard !hasEquivalentKeys(value) else { return false }
            let read = try JSON5Parser.parse(Array(text.utf8))
            try #require(read.json.comparable == value.comparable, "\(text)")
            try #require(
                read.json.description.utf8.elementsEqual(value.description.utf8), "\(text)")
            return true
        }
    }

    private func hasEquivalentKeys(_ json: JSON) -> Bool {
        switch json {
        case .array(let elements): elements.contains(where: hasEquivalentKeys)
        case .object(let members):
            Set(members.map(\.name)).count < members.count
                || members.contains { hasEquivalentKeys($0.value) }
        default: false
        }
    }

    @Test func `arbitrary JSON5 is read, or refused with a line of the text`() async {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "a", "'b'", "\"c\"", "0x1F",
            "-.5", "5.", "1e9", "+", "//x\n", "/* */", "/*", "\\", "\\u00e9",
            "'\\uD83D\\uDE00'", "'\\uD83D'", "'\\u+123'", "'\\x-1'", "\n", "\r\n", " ", "true",
            "null", "NaN", "é", "\u{A0}", "\u{FEFF}", "'", "\"",
        ]
        let valid = "{a: [1, 'b\\\n', {c: true, \"d\": -0x1F}], e: .5, /**/}\n"
        await Cases("JSON5 that is read", few: 1_000).check(oneIn: 20) { fuzz in
            let bytes =
                fuzz.chance(oneIn: 2)
                ? fuzz.damaged(valid) : Array(fuzz.text(of: pieces, upTo: 8).utf8)
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

    @Test func `an arbitrary pattern matches as Swift's Regex does`() async {
        let pieces = [
            "a", "b", "ab", "|", "*", "+", "?", "(?:", ")", "(", "[ab]",
            "[^a]", "[a-c]", ".", "{2}", "{1,2}", "{0,}", "\\d", "\\w",
            "^", "$", "\\b", "\\.", "{", "}", "\\", "-", "{3,2}",
        ]
        let values = ["", "a", "b", "ab", "aab", "abab", "c1", "a.b", "ba c"]
        await Cases("patterns", few: 1_000).check(oneIn: 10) { fuzz in
            let source = fuzz.text(of: pieces, upTo: 7)
            guard let pattern = try? Pattern(source),
                let regex = try? Regex(source).wordBoundaryKind(.simple)
            else { return false }
            for value in values {
                try #require(
                    pattern.matches(value) == (value.wholeMatch(of: regex) != nil),
                    "\(source) \(value)")
            }
            return true
        }
    }
}
