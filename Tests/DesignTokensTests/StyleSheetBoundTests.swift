import FoundationEssentials
import Glibc
import Support
import Testing
import Web

@testable import DesignTokens

/// Limits for style sheets that would crash the process or keep it busy.
@Suite(.timeLimit(.minutes(10))) final class StyleSheetBoundTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/sheet-bound-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func failure(_ text: String) -> String? {
        #expect(throws: StyleSheet.ParseError.self) { try StyleSheet(text) }?.detail
    }

    private func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    @Test(arguments: ["a{", "@media x{", "@layer{a{", "@supports (a){"])
    func `blocks nested too deeply are rejected`(open: String) {
        for close in ["", repeated("}", 20_000)] {
            #expect(failure(repeated(open, 20_000) + close) == "blocks nested more than 64 deep")
        }
    }

    @Test(arguments: ["(", "[", "a((", "--a:{"])
    func `nested brackets are parsed without recursion`(
        open: String
    ) {
        let text = failure("a{b:" + repeated(open, 100_000))
        #expect(text?.contains("unterminated") == true)
    }

    @Test func `the length of nested selectors and the number of rules are limited`() {
        let name = repeated("a", 3_000)
        #expect(
            failure("\(name){\(name){" + repeated("b{}", 100_000) + "}}")
                == "selector longer than 4000 bytes")
        #expect(failure(repeated("a{}", 5_001)) == "more than 5000 rules")
    }

    private func sheets(_ files: [String: String]) throws -> AppStyleSheets {
        let directory = folder + "/raft/public"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(filePath: directory + "/" + name))
        }
        return AppStyleSheets(
            app: "raft",
            folders: .init(publicFolder: try projectRoot() + "/Public", userAppsFolder: folder)
        )
    }

    @Test func `the number of an app's tokens is limited`() throws {
        let many = (0..<60_000).map { "--t\($0):red;" }.joined()
        let sheets = try sheets(["app.css": ":root{\(many)}"])
        #expect(sheets.mainSheet == nil)
        #expect(
            sheets.unreadable.map(\.reason) == ["more than 2000 custom properties in total"])
        #expect(DesignTokenSet(sheets).tokens.count < 2_000)
    }

    @Test func `the number of an app's style sheets is limited`() throws {
        var files: [String: String] = [:]
        for number in 0..<300 {
            files["s\(number).css"] = "@import url(\"/assets/apps/raft/s\(number + 1).css\");"
        }
        files["app.css"] = "@import url(\"/assets/apps/raft/s0.css\"); a{}"
        let sheets = try sheets(files)
        #expect(sheets.sheets.count <= 50)
        #expect(sheets.unreadable.contains { $0.reason == "more than 50 style sheets" })
    }

    @Test func `a style sheet that is a symbolic link is ignored`() throws {
        _ = try sheets(["app.css": "@import url(\"/assets/apps/raft/z.css\");"])
        for (name, target) in [
            ("z.css", "/dev/zero"), ("users.css", "/etc/passwd"),
        ] { #expect(symlink(target, "\(folder)/raft/public/\(name)") == 0) }
        let sheets = try sheets([:])
        #expect(sheets.sheets.map(\.fileName) == ["screen.css", "app.css"])
    }

    @Test func `custom properties with many references resolve in bounded time`() {
        for filling in ["", "x"] {
            var values = ["--t12": filling]
            for number in 0..<12 { values["--t\(number)"] = repeated("var(--t\(number + 1)) ", 10) }
            let properties = CustomProperties(values: values, appearance: .light)
            #expect(properties["--t0"] == nil)
            #expect(properties["--t11"] == repeated(filling + " ", 10).whitespaceCollapsed)
        }
        let properties = CustomProperties(
            values: ["--a": repeated("f(", 5_000) + repeated(")", 5_000)], appearance: .light)
        #expect(properties["--a"] == nil)
    }

    @Test(arguments: [
        "hsl(nan 50% 50%)", "hsl(inf, 50%, 50%)", "hsl(1e400deg 50% 50%)",
        "rgb(nan nan nan)", "rgb(inf 0 0)", "hsl(0 nan inf)",
        "rgb(0 0 0 / nan)",
        "rgb(1\(String(repeating: "0", count: 400)) 0 0)",
        "hsl(1\(String(repeating: "0", count: 400)) 1% 1%)",
    ]) func `a color with non-finite components is rejected`(text: String) {
        #expect(Color(text) == nil)
        #expect(TokenValue(text) == .other(text))
    }

    @Test func `an oversized length is not parsed as a length`() {
        let digits = "1" + repeated("0", 400)
        #expect(TokenValue("\(digits)px") == .other("\(digits)px"))
        #expect(TokenValue("-.5em") == .length(number: -0.5, unit: "em"))
        #expect(TokenValue("+3PX") == .length(number: 3, unit: "px"))
        #expect(TokenValue.number("0x10") == nil)
    }

    // MARK: Fuzzing

    @Test func `a random style sheet is parsed without loss or rejected`() async {
        let pieces = [
            "a", ":root", ".b > c", "{", "}", ";", ":", "--t: ", "var(--t)",
            "color: red", "(", ")", "[", "]", "\"", "'", "\\", "/*", "*/",
            "@media (x)", "@import url(\"/a.css\")", "@font-face", "!", "\n",
            " ", "é", "\u{FEFF}", "url(x)", "&:hover", "\\\"", "<!--",
        ]
        let valid = """
            @import url("/a.css");
            :root { --t: calc(1px + (2px)); --u: { a: b }; color: red }
            @media (x) { a { b: "c\\"d"; &:hover { e: var(--t, f) } } }
            /* g */ @font-face { h: url(i) }
            """
        await Cases("style sheets that are damaged").check(oneIn: 10) { fuzz in
            let bytes =
                fuzz.chance(oneIn: 2)
                ? fuzz.damaged(valid) : Array(fuzz.text(of: pieces, upTo: 16).utf8)
            do {
                let sheet = try StyleSheet(bytes)
                try #require(sheet.replacing([]) == bytes)
                for rule in sheet.rules {
                    try #require(bytes[rule.blockEnd] == UInt8(ascii: "}"))
                    for declaration in rule.declarations {
                        try #require(
                            declaration.value
                                == String(decoding: bytes[declaration.valueRange], as: UTF8.self))
                        _ = CSSText.referencedProperties(in: declaration.value)
                        _ = CSSText.components(declaration.value)
                        let properties = CustomProperties(
                            values: [declaration.name: declaration.value], appearance: .dark)
                        _ = properties.resolve(declaration.value).map(TokenValue.init)
                    }
                }
                return true
            } catch let error as StyleSheet.ParseError {
                let lines = bytes.count { $0 == 0x0A } + 1
                try #require((1...lines).contains(error.line))
            }
            return false
        }
    }

    @Test func `every declaration is found and replaced in its position`() async {
        let values = [
            "red", "calc(1px + (2px))", "var(--t, #fff)", "\"a;}b\\\"\"", "'{'", "url(a;b)", "é",
            "/* ;} */ 1px", "[x] 2px", "a\\;b",
        ]
        let blanks = ["", "", " ", "\n", "\t ", "/* } a: b; */"]
        await Cases("style sheets that are replaced").check(oneIn: 2) { fuzz in
            var text = fuzz.one(of: ["", "\u{FEFF}", "@import url(\"/a.css\");"])
            var written: [[String]] = []
            for number in 0..<1 + fuzz.number(below: 4) {
                let around = fuzz.chance(oneIn: 3) ? "@media (x)" : ""
                text += fuzz.one(of: blanks) + around + (around.isEmpty ? "" : "{") + ".r\(number){"
                for _ in 0..<fuzz.number(below: 4) {
                    let name = fuzz.one(of: ["color", "--t", "-x"])
                    let value = fuzz.one(of: values)
                    written.append([".r\(number)", around, name, value])
                    text += fuzz.one(of: blanks) + name + ":" + fuzz.one(of: ["", " ", "\n"])
                    text += value + fuzz.one(of: ["", " "]) + ";"
                }
                text += fuzz.one(of: blanks) + "}" + (around.isEmpty ? "" : "}")
            }
            func found(_ sheet: StyleSheet) -> [[String]] {
                sheet.rules.flatMap { rule in
                    rule.declarations.map {
                        [rule.selector, rule.conditions.joined(), $0.name, $0.value]
                    }
                }
            }
            let sheet = try StyleSheet(text)
            try #require(found(sheet) == written, "\(text)")
            let changes = sheet.rules.flatMap(\.declarations).map {
                ($0.valueRange, "new(\($0.line))")
            }
            let changed = try StyleSheet(sheet.replacing(changes))
            try #require(found(changed).map { $0.dropLast() } == written.map { $0.dropLast() })
            try #require(found(changed).map { $0[3] } == changes.map(\.1), "\(text)")
            return !written.isEmpty
        }
    }

    @Test func `a random value is classified as some kind of token`() async {
        let pieces = [
            "rgb(", "hsl(", ")", "0", "255", "50%", "nan", "1e999", "-", "+",
            ".", ",", " ", "/", "deg", "px", "em", "#", "fff", "f0", "red",
            "linear-gradient(", "to top", "inset", "sans-serif", "\"A\"",
            "var(--a", "light-dark(", "99999999999999999999",
        ]
        let properties = CustomProperties(
            values: ["--a": "var(--b)", "--b": "var(--a, #fff)"], appearance: .dark)
        await Cases("values of tokens", few: 3_000).check(oneIn: 100) { fuzz in
            let text = fuzz.text(of: pieces, upTo: 7)
            var isRead = false
            for text in [text, properties.resolve(text)].compactMap(\.self) {
                let value = TokenValue(text)
                isRead = isRead || value.kind != .other
                if case .color(let color) = value {
                    try #require(color.hex.utf8.count == 7, "\(text)")
                    try #require(!color.css.isEmpty)
                }
                if let pixels = value.pixels {
                    try #require(pixels.isFinite, "\(text)")
                }
            }
            return isRead
        }
    }
}
