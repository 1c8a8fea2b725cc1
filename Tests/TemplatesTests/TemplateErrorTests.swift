import Templates
import Testing

/// Errors in templates, with file, line and column.
@Suite(.timeLimit(.minutes(10))) struct TemplateErrorTests {
    private func errors(_ files: [String: String]) throws -> [String] {
        let folder = TemplateFolder(files)
        return try folder.templates().errors().map {
            $0.description.replacing(folder.path + "/", with: "")
        }
    }

    @Test func `a section that is not closed is named`() throws {
        #expect(
            try errors(["page": "<p>\n  é{{#open}}\n</p>"]) == [
                "page.mustache:2:4: unclosed section \"open\""
            ])
    }

    @Test func `a tag that is not closed is named`() throws {
        #expect(try errors(["page": "one\ntwo {{three"]) == ["page.mustache:2:5: unclosed tag"])
    }

    @Test func `a section that was not opened is named`() throws {
        #expect(
            try errors(["page": "{{/shut}}"]) == ["page.mustache:1:1: unopened section \"shut\""])
    }

    @Test func `a wrong delimiter tag is named`() throws {
        #expect(
            try errors(["page": " {{=a=}}"]) == ["page.mustache:1:2: invalid set delimiter tag"])
    }

    @Test func `a missing partial is named`() throws {
        #expect(
            try errors(["page": "{{>a}}", "a": "\n{{> gone }}"]) == [
                "a.mustache:2:1: there is no template \"gone\""
            ])
    }

    @Test func `errors are reported once, by file and line`() throws {
        let errors = try errors([
            "z": "{{#a}}", "page": "{{>z}}", "other": "{{>z}}", "b": "{{#b}}",
        ])
        #expect(
            errors == [
                "b.mustache:1:1: unclosed section \"b\"", "z.mustache:1:1: unclosed section \"a\"",
            ])
    }

    @Test func `the error of a page with a broken partial names the partial`() throws {
        let folder = TemplateFolder(["page": "{{>part}}", "part": "{{#x}}"])
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) { try templates.render("page", ["a": 1]) }
        #expect(error?.file == folder.path + "/part.mustache")
        #expect(error?.line == 1)
    }

    @Test func `a missing template is an error`() throws {
        let folder = TemplateFolder()
        let error = #expect(throws: TemplateError.self) {
            try folder.templates().render("gone", ["a": 1])
        }
        #expect(error?.description == "gone.mustache: there is no such template")
    }

    @Test func `a missing folder is an error`() {
        let error = #expect(throws: TemplateError.self) {
            try Templates(folders: [.init(path: "/nowhere/at/all")])
        }
        #expect(error?.file == "/nowhere/at/all")
    }

    @Test func `a file that is not UTF-8 text is an error`() throws {
        let folder = TemplateFolder()
        folder.write("page", bytes: [0x61, 0xF8, 0x62])
        #expect(try folder.templates().errors().map(\.detail) == ["the file is not UTF-8 text"])
    }

    @Test(arguments: ["{{>page}}", "{{#a}}{{>page}}{{/a}}"])
    func `an endlessly recursive partial is an error`(text: String) throws {
        let folder = TemplateFolder(["page": text])
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) {
            try templates.render("page", ["a": true])
        }
        #expect(error?.detail == "partial \"page\" never ends")
        #expect(throws: TemplateError.self) { try templates.render("page", ["a": true]) }
    }

    @Test func `partials that grow exponentially are an error`() throws {
        var files = ["p0": String(repeating: "x", count: 100)]
        for level in 1...24 { files["p\(level)"] = "{{>p\(level - 1)}}{{>p\(level - 1)}}" }
        let folder = TemplateFolder(files)
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) { try templates.render("p24", ["a": 1]) }
        #expect(error?.detail == "it renders more than 128 MiB, or never ends")
    }
}
