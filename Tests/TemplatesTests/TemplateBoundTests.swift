import Glibc
import Support
import Testing

@testable import Templates

/// Templates that could crash the process or never finish.
@Suite(.timeLimit(.minutes(10))) struct TemplateBoundTests {
    private func firstError(_ text: String) throws -> String? {
        let folder = TemplateFolder(["page": text])
        return try folder.templates().errors().first.map {
            $0.description.replacing(folder.path + "/", with: "")
        }
    }

    private func repeated(_ text: String, _ count: Int = 16_000) -> String {
        String(repeating: text, count: count)
    }

    // MARK: Depth

    @Test(arguments: ["{{#a}}", "{{^a}}", "{{#a}}\n", "{{=| |=}}|#a|={{ }}=|"])
    func `sections nest at most 64 deep`(open: String) throws {
        let opened = open.contains("=") ? "{{=| |=}}" : open
        let tag = open.contains("=") ? "|#a|" : open
        let close = open.contains("=") ? "|/a|" : "{{/a}}"
        let deep = opened + repeated(tag, 65) + repeated(close, 66)
        #expect(try firstError(deep)?.contains("sections are nested more than 64 deep") == true)
        // Unclosed sections count too.
        for text in [repeated(tag), repeated(tag) + repeated(close)] {
            #expect(
                try firstError(opened + text)?.contains("sections are nested more than 64 deep")
                    == true)
        }
        let allowed = repeated("{{#a}}", 64) + "x" + repeated("{{/a}}", 64)
        #expect(try firstError(allowed) == nil)
        let folder = TemplateFolder(["page": allowed])
        #expect(try rendered(folder.templates(), "page", ["a": 1]) == "x")
    }

    @Test func `a tag that only looks like a section does not nest`() throws {
        #expect(try firstError(repeated("{{{#a}}}", 1_000)) == nil)
        #expect(try firstError(repeated("{{!#a}}{{#a}}{{/a}}", 1_000)) == nil)
        // It does not close a section either: those before it stay open.
        #expect(
            try firstError(repeated("{{#a}}{{{/a}}}", 65))?.contains("more than 64 deep") == true)
    }

    @Test func `sections of partials count toward the depth limit`() throws {
        let part = repeated("{{#a}}", 40) + "{{>b}}" + repeated("{{/a}}", 40)
        let folder = TemplateFolder(["page": part, "b": part.replacing("{{>b}}", with: "x")])
        #expect(
            try folder.templates().errors().map(\.detail) == [
                "with its partials, sections are nested more than 64 deep"
            ])
    }

    @Test func `partials nest at most 64 deep`() throws {
        var files = ["p200": "x"]
        for number in 0..<200 { files["p\(number)"] = "{{>p\(number + 1)}}" }
        let folder = TemplateFolder(files)
        let templates = try folder.templates()
        #expect(
            templates.errors().contains { $0.detail == "partials are nested more than 64 deep" })
        #expect(try rendered(templates, "p150", [String: Int]()) == "x")
    }

    @Test(arguments: ["{{^n}}", "{{#a}}"]) func `a recursive partial nests at most 8 sections`(
        open: String
    ) throws {
        let close = open == "{{^n}}" ? "{{/n}}" : "{{/a}}"
        let deep = repeated(open, 60) + "{{>page}}" + repeated(close, 60)
        #expect(try firstError(deep)?.contains("sections are nested more than 8 deep") == true)
        let shallow = repeated(open, 8) + "{{>page}}" + repeated(close, 8)
        let folder = TemplateFolder(["page": shallow])
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) { try templates.render("page", ["a": 1]) }
        #expect(error?.detail.contains("never ends") == true)
    }

    // MARK: Expansion

    @Test func `partials that double at each level stop at the limit`() throws {
        var files = ["p60": ""]
        for number in 0..<60 { files["p\(number)"] = repeated("{{>p\(number + 1)}}", 2) }
        let folder = TemplateFolder(files)
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) {
            try templates.render("p0", [String: Int]())
        }
        #expect(error?.detail == "it has more than 10000 partials")
        #expect(try rendered(templates, "p55", [String: Int]()) == "")
    }

    @Test func `nested lists stop at the size limit`() throws {
        let folder = TemplateFolder([
            "page": repeated("{{#a}}", 40) + repeated("{{/a}}", 40),
            "fine": "{{#a}}{{#a}}{{.}}{{/a}};{{/a}}",
        ])
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) {
            try templates.render("page", ["a": [1, 2, 3]])
        }
        #expect(error?.detail == "it renders more than 128 MiB, or never ends")
        // The pooled copy of the template still works.
        #expect(try rendered(templates, "page", ["a": [1]]) == "")
        #expect(try rendered(templates, "fine", ["a": [1, 2]]) == "12;12;")
    }

    @Test func `text without line ends counts toward the size limit`() throws {
        let long = repeated("x", 100_000)
        for text in [long, repeated("xxxxxxx{{!}}", 10_000)] {
            for delimiters in [("", ""), ("{{=| |=}}", "|={{ }}=|")] {
                let folder = TemplateFolder([
                    "page": "{{#a}}{{#a}}\(delimiters.0)\(text)\(delimiters.1){{/a}}{{/a}}"
                ])
                let templates = try folder.templates()
                let output = try templates.render("page", ["a": [1, 2]])
                #expect(output.count >= 4 * 70_000)
                let error = #expect(throws: TemplateError.self) {
                    try templates.render("page", ["a": Array(0..<100)])
                }
                #expect(error?.detail.contains("128 MiB") == true)
            }
        }
    }

    @Test func `a partial that includes itself twice is an error`() throws {
        let folder = TemplateFolder(["page": "{{#a}}{{>page}}{{>page}}{{/a}}"])
        let templates = try folder.templates()
        #expect(throws: TemplateError.self) { try templates.render("page", ["a": ["a": 1]]) }
    }

    // MARK: Files

    /// In `/dev/shm`, whose file system allows a file of this size.
    @Test func `a file of the largest possible size is refused as too large`() throws {
        let folder = TemplateFolder(["page": "x"], in: "/dev/shm")
        folder.write("vast", "")
        #expect(truncate(folder.path + "/vast.mustache", .max) == 0)
        let error = #expect(throws: TemplateError.self) { try folder.templates() }
        #expect(error?.detail == "its templates are larger than 32 MiB")
    }

    @Test func `a template that is not a regular file of its folder is refused`() throws {
        let folder = TemplateFolder(["page": "x", "part/real": "y"])
        for (name, target) in [
            ("users.mustache", "/etc/passwd"), ("zero.mustache", "/dev/zero"),
            ("page2.mustache", "page.mustache"), ("across", "part"),
        ] { #expect(symlink(target, folder.path + "/" + name) == 0) }
        #expect(mkfifo(folder.path + "/pipe.mustache", 0o600) == 0)
        let templates = try folder.templates()
        let errors = templates.errors()
        #expect(
            errors.map { $0.file.split(separator: "/").last } == [
                "across", "page2.mustache", "pipe.mustache", "users.mustache", "zero.mustache",
            ])
        #expect(errors.allSatisfy { $0.detail.contains("not a regular file") })
        #expect(!templates.contains("across/real"))
        #expect(try rendered(templates, "page", ["a": 1]) == "x")
    }

    @Test func `a template larger than 256 KiB is refused`() throws {
        #expect(
            try firstError(repeated("x", 300_000))?.contains("it is larger than 256 KiB") == true)
    }

    // MARK: Generated cases

    @Test func `an arbitrary template is rendered or refused`() async throws {
        let pieces = [
            "{{#a}}", "{{/a}}", "{{^b}}", "{{/b}}", "{{a}}", "{{{a}}}",
            "{{{#a}}}", "{{&b}}", "{{! {{ }}", "{{>page}}", "{{>part}}",
            "{{=| |=}}", "|#a|", "|/a|", "|={{ }}=|", "{{=<% %>=}}",
            "<%#b%>", "<%/b%>", "<%={{ }}=%>", "{{", "}}", "{", "}", "=",
            "\n", " \r\n", "é", "text", "{{.}}", "{{a.b.c}}", "{{\u{1}9}}",
        ]
        let folder = TemplateFolder(["page": "{{#b}}x{{/b}}y", "part": "{{#b}}{{>part}}{{/b}}"])
        await Cases("templates that are damaged").check(oneIn: 15) { fuzz in
            let text = fuzz.text(of: pieces, upTo: 12)
            folder.write("case", text)
            let templates = try folder.templates()
            let source = Array(text.utf8)
            let parsed = try? ParsedTemplate(source)
            try #require(templates.errors().isEmpty == (parsed != nil), "\(text)")
            guard parsed != nil else { return false }
            // Scanned as the library scans it, as many sections close as open.
            var scanner = TagScanner(source)
            var open = 0
            var end = 0
            while let piece = scanner.next() {
                switch piece {
                case .openSection(_, let range):
                    open += 1
                    end = range.upperBound
                case .closeSection(let range):
                    open -= 1
                    end = range.upperBound
                case .text(let range), .partial(_, let range), .tag(_, let range):
                    end = range.upperBound
                }
            }
            try #require(open == 0, "\(text)")
            try #require(end == source.count, "\(text)")
            _ = try templates.render("case", ["a": ["1", "2"], "b": []])
            return true
        }
    }
}
