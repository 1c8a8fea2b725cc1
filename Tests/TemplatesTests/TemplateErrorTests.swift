import Templates
import Testing

/// A mistake in a template is said with its place.
@Suite(.timeLimit(.minutes(10))) struct TemplateErrorTests {
    private func problems(_ files: [String: String]) throws -> [String] {
        let folder = TemplateFolder(files)
        return try folder.templates().errors().map {
            $0.description.replacing(folder.path + "/", with: "")
        }
    }

    @Test func `a section that is not closed is named`() throws {
        #expect(
            try problems(["page": "<p>\n  é{{#open}}\n</p>"]) == [
                "page.mustache:2:4: unclosed section \"open\""
            ])
    }

    @Test func `a tag that is not closed is named`() throws {
        #expect(try problems(["page": "one\ntwo {{three"]) == ["page.mustache:2:5: unclosed tag"])
    }

    @Test func `a section that was not opened is named`() throws {
        #expect(
            try problems(["page": "{{/shut}}"]) == ["page.mustache:1:1: unopened section \"shut\""])
    }

    @Test func `a wrong delimiter tag is named`() throws {
        #expect(
            try problems(["page": " {{=a=}}"]) == ["page.mustache:1:2: invalid set delimiter tag"])
    }

    @Test func `a partial that is not there is named`() throws {
        #expect(
            try problems(["page": "{{>a}}", "a": "\n{{> gone }}"]) == [
                "a.mustache:2:1: there is no template \"gone\""
            ])
    }

    @Test func `problems come once, by file and line`() throws {
        let found = try problems([
            "z": "{{#a}}", "page": "{{>z}}", "other": "{{>z}}", "b": "{{#b}}",
        ])
        #expect(
            found == [
                "b.mustache:1:1: unclosed section \"b\"", "z.mustache:1:1: unclosed section \"a\"",
            ])
    }

    @Test func `a page with a broken partial says which`() throws {
        let folder = TemplateFolder(["page": "{{>part}}", "part": "{{#x}}"])
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) { try templates.render("page", ["a": 1]) }
        #expect(error?.file == folder.path + "/part.mustache")
        #expect(error?.line == 1)
    }

    @Test func `a template nobody wrote is an error`() throws {
        let folder = TemplateFolder()
        let error = #expect(throws: TemplateError.self) {
            try folder.templates().render("gone", ["a": 1])
        }
        #expect(error?.description == "gone.mustache: there is no such template")
    }

    @Test func `a folder nobody made is an error`() {
        let error = #expect(throws: TemplateError.self) {
            try Templates(folders: ["/nowhere/at/all"])
        }
        #expect(error?.file == "/nowhere/at/all")
    }

    @Test func `bytes that are no text are an error`() throws {
        let folder = TemplateFolder()
        folder.write("page", bytes: [0x61, 0xF8, 0x62])
        #expect(try folder.templates().errors().map(\.detail) == ["the file is not UTF-8 text"])
    }

    @Test(arguments: ["{{>page}}", "{{#a}}{{>page}}{{/a}}"])
    func `a partial that never ends is an error`(text: String) throws {
        let folder = TemplateFolder(["page": text])
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) {
            try templates.render("page", ["a": true])
        }
        #expect(error?.detail == "partial \"page\" never ends")
        #expect(throws: TemplateError.self) { try templates.render("page", ["a": true]) }
    }

    @Test func `partials that double without end are an error`() throws {
        var files = ["p0": String(repeating: "x", count: 100)]
        for level in 1...24 { files["p\(level)"] = "{{>p\(level - 1)}}{{>p\(level - 1)}}" }
        let folder = TemplateFolder(files)
        let templates = try folder.templates()
        let error = #expect(throws: TemplateError.self) { try templates.render("p24", ["a": 1]) }
        #expect(error?.detail == "it has more than 10000 partials")
    }
}
