import Core
import FoundationEssentials
import Support
import Testing

@testable import DesignTokens

extension StyleSheet {
    init(_ text: String) throws(ParseError) { try self.init(Array(text.utf8)) }
}

/// The repository's root, where `Public/` is.
func projectRoot() throws -> String { try #require(ProjectRoot.find(from: #filePath)) }

@Suite(.timeLimit(.minutes(10))) struct StyleSheetTests {
    @Test func `rules are parsed with selectors, conditions and declarations`() throws {
        let sheet = try StyleSheet(
            """
            /* A head; with a { brace */
            @import url("/assets/stock.css");
            :root { --page: #fff; --font: "A; B", serif }
            @media (max-width: 5px) { :root { --page: #000; } }
            @font-face { font-family: X; src: url(x.woff2) }
            .a,
            .b > c { color: red; &:hover { color: blue } }
            """)
        #expect(sheet.imports == ["/assets/stock.css"])
        #expect(
            sheet.rules.map(\.selector) == [":root", ":root", ".a, .b > c", ".a, .b > c &:hover"])
        #expect(sheet.rules[1].conditions == ["@media (max-width: 5px)"])
        #expect(sheet.rules[0].declarations.map(\.value) == ["#fff", "\"A; B\", serif"])
        #expect(sheet.rules.map(\.line) == [3, 4, 6, 7])
        #expect(sheet.rules[0].declarations[0].line == 3)
    }

    @Test(arguments: [
        (":root { --a: 1px;", 1, "unterminated block"),
        ("a {}\n/* b", 2, "unterminated comment"),
        ("a { content: \"x }\n}", 1, "unterminated string"),
        ("a { color: rgb(0, 0, 0; }", 1, "unterminated bracket"),
        ("a { color }", 1, "'color' is not a declaration"), ("}", 1, "unexpected }"),
        ("a", 1, "rule without a block"),
    ]) func `syntax errors are rejected with their line`(text: String, line: Int, detail: String) {
        let error = #expect(throws: StyleSheet.ParseError.self) { try StyleSheet(text) }
        #expect(error?.line == line)
        #expect(error?.detail.hasPrefix(detail) == true)
    }

    /// Every style sheet in `Public`.
    private static let files: [String] = {
        let folder = (ProjectRoot.find(from: #filePath) ?? "") + "/Public"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".css") }.sorted().map { folder + "/" + $0 }
    }()

    @Test(arguments: files) func `writing every value back changes no byte`(file: String) throws {
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
        let sheet = try StyleSheet(bytes)
        let declarations = sheet.rules.flatMap(\.declarations)
        #expect(!declarations.isEmpty || !sheet.imports.isEmpty)
        let same = declarations.map { ($0.valueRange, $0.value) }
        #expect(sheet.replacing(same) == bytes)
        for rule in sheet.rules { #expect(bytes[rule.blockEnd] == UInt8(ascii: "}")) }
    }

    @Test func `console.css imports every style sheet of its folder once`() throws {
        let path = try projectRoot() + "/Public/console.css"
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        let folder = try projectRoot() + "/Public/console/"
        // Exported storyboards use export.css instead.
        let sheets = Self.files.filter { $0.hasPrefix(folder) && !$0.hasSuffix("/export.css") }
        #expect(
            try StyleSheet(bytes).imports.sorted()
                == sheets.map { "/assets/console/" + $0.dropFirst(folder.count) }
                + ["/assets/device-sizes.css"])
    }

    @Test func `every custom property of every app's root is a token`() throws {
        let folders = AppFolders(
            publicFolder: try projectRoot() + "/Public", userAppsFolder: nil)
        for app in ["bob", "clarity", "mystica", "socoto", "wall"] {
            let sheets = AppStyleSheets(app: app, folders: folders)
            #expect(sheets.unreadable.isEmpty)
            let names = Set(DesignTokenSet(sheets).tokens.map(\.name))
            let main = try #require(sheets.mainSheet)
            let text = String(decoding: main.styleSheet.bytes, as: UTF8.self)
            let root = text.split(separator: ":root {")[1].prefix { $0 != "}" }
            for part in root.split(separator: "--").dropFirst() {
                let name = part.prefix { $0 != ":" && $0 != ")" }
                #expect(names.contains("--" + name))
            }
        }
    }
}
