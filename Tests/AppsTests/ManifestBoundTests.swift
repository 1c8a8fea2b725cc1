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
        let catalogue = Catalogue(folders: [folder], now: { Date() })
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
        let error = #expect(throws: OutlineParser.Failure.self) {
            try OutlineParser.parse(Array(String(repeating: open, count: 200_000).utf8))
        }
        #expect(error?.detail == "values stand more than 64 deep")
    }

    @Test func `an object or a list has so many values and no more`() throws {
        for (open, piece, close) in [("[", "1,", "]"), ("{", "a#:1,", "}")] {
            for count in [1_000, 1_001] {
                let text =
                    open + (0..<count).map { piece.replacing("#", with: String($0)) }.joined()
                    + close
                let outline = try? OutlineParser.parse(Array(text.utf8))
                #expect((outline != nil) == (count == 1_000))
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
        #expect(throws: PatternFailure.self) { try Pattern(source) }
    }

    @Test func `a pattern with many branches matches each`() throws {
        let words = (0..<150).map { "a\($0)" }
        let pattern = try Pattern(words.joined(separator: "|"))
        #expect(words.allSatisfy(pattern.matches))
        #expect(!pattern.matches("a150"))
        #expect(!pattern.matches("a1|"))
    }

    // MARK: By chance

    @Test func `whatever a manifest is, it is read or refused on its line`() throws {
        var fuzz = Fuzz(seed: 5)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "a", "'b'", "\"c\"", "0x1F",
            "-.5", "5.", "1e9", "+", "//x\n", "/* */", "/*", "\\", "\\u00e9",
            "'\\uD83D\\uDE00'", "'\\uD83D'", "\n", "\r\n", " ", "true",
            "null", "NaN", "é", "\u{2028}", "\u{FEFF}", "'", "\"",
        ]
        let whole = "{a: [1, 'b\\\n', {c: true, \"d\": -0x1F}], e: .5, /**/}\n"
        var read = 0
        for number in 0..<4_000 {
            let bytes =
                number.isMultiple(of: 2)
                ? fuzz.damaged(whole) : Array(fuzz.text(of: pieces, upTo: 14).utf8)
            do throws(OutlineParser.Failure) {
                let outline = try OutlineParser.parse(bytes)
                read += 1
                let again = try OutlineParser.parse(outline.json.bytes)
                #expect(again.json == outline.json)
            } catch {
                let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
                #expect((1...lines).contains(error.line), "\(bytes)")
            }
        }
        #expect(read > 100)
    }

    @Test func `whatever a pattern is, it means what others take it for`() throws {
        var fuzz = Fuzz(seed: 7)
        let pieces = [
            "a", "b", "ab", "|", "*", "+", "?", "(?:", ")", "(", "[ab]",
            "[^a]", "[a-c]", ".", "{2}", "{1,2}", "{0,}", "\\d", "\\w",
            "^", "$", "\\b", "\\.", "{", "}", "\\", "-", "{3,2}",
        ]
        let values = ["", "a", "b", "ab", "aab", "abab", "c1", "a.b", "ba c"]
        var compiled = 0
        for _ in 0..<2_000 {
            let source = fuzz.text(of: pieces, upTo: 7)
            guard let pattern = try? Pattern(source),
                let other = try? Regex(source).wordBoundaryKind(.simple)
            else { continue }
            compiled += 1
            for value in values {
                #expect(
                    pattern.matches(value) == (value.wholeMatch(of: other) != nil),
                    "\(source) \(value)")
            }
        }
        #expect(compiled > 300)
    }
}
