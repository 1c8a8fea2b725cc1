import Glibc
import Support
import Templates
import Testing

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

    @Test func `sections around nested partials count toward the depth limit`() throws {
        var files = ["p9": "x"]
        for number in 0..<9 {
            let next = "{{>p\(number + 1)}}"
            files["p\(number)"] = repeated("{{#a}}", 40) + next + repeated("{{/a}}", 40)
        }
        let folder = TemplateFolder(files)
        let templates = try folder.templates()
        #expect(try rendered(templates, "p6", ["a": 1]) == "x")
        let error = #expect(throws: TemplateError.self) { try templates.render("p0", ["a": 1]) }
        #expect(error?.detail.contains("never ends") == true)
    }

    @Test func `partials nest at most 200 deep`() throws {
        var files = ["p300": "x"]
        for number in 0..<300 { files["p\(number)"] = "{{>p\(number + 1)}}" }
        let folder = TemplateFolder(files)
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) {
            try templates.render("p99", [String: Int]())
        }
        #expect(error?.detail == "partial \"p300\" never ends")
        #expect(try rendered(templates, "p100", [String: Int]()) == "x")
    }

    @Test(arguments: ["{{^n}}", "{{#a}}"], [8, 60]) func `a recursive partial in sections ends`(
        open: String, count: Int
    ) throws {
        let close = open == "{{^n}}" ? "{{/n}}" : "{{/a}}"
        let page = repeated(open, count) + "{{>page}}" + repeated(close, count)
        let folder = TemplateFolder(["page": page])
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
        #expect(error?.detail == "it renders more than 128 MiB, or never ends")
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
            guard templates.errors().isEmpty else { return false }
            _ = try templates.render("case", ["a": ["1", "2"], "b": []])
            return true
        }
    }
}
