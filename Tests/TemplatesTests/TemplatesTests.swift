import Testing

@testable import Templates

/// Names, folders and layouts of templates, and changes of their files.
@Suite(.timeLimit(.minutes(10))) struct TemplatesTests {
    private let emptyModel: [String: String] = [:]

    @Test func `a template is named by its path`() throws {
        let folder = TemplateFolder([
            "home": "home", "apps/bob/login": "Bob's {{> parts/field}}", "parts/field": "field",
        ])
        let templates = try folder.templates()
        #expect(templates.contains("apps/bob/login"))
        #expect(!templates.contains("login"))
        #expect(try rendered(templates, "apps/bob/login", emptyModel) == "Bob's field")
    }

    @Test func `a folder's templates can have a name prefix`() throws {
        let unprefixed = TemplateFolder(["apps/bob/login": "ours", "part": "P"])
        let prefixed = TemplateFolder(["seventh/login": "theirs {{>part}}"])
        let templates = try Templates(folders: [
            .init(path: unprefixed.path), .init(path: prefixed.path, prefix: "apps"),
        ])
        #expect(try rendered(templates, "apps/seventh/login", emptyModel) == "theirs P")
        #expect(try rendered(templates, "apps/bob/login", emptyModel) == "ours")
    }

    @Test func `the first folder with a template of that name is used`() throws {
        let first = TemplateFolder(["a": "first"])
        let second = TemplateFolder(["a": "second", "b": "{{>a}}"])
        let templates = try Templates(folders: [.init(path: first.path), .init(path: second.path)])
        #expect(try rendered(templates, "a", emptyModel) == "first")
        #expect(try rendered(templates, "b", emptyModel) == "first")
    }

    @Test func `a layout contains the page and uses its model`() throws {
        let folder = TemplateFolder([
            "page": "<p>{{title}}</p>", "layout": "<title>{{title}}</title>{{{body}}}",
        ])
        struct Page: Encodable {
            let title = "a & b"
            let body = "the mail's own"
        }
        #expect(
            try rendered(folder.templates(), "page", Page(), layout: "layout")
                == "<title>a &amp; b</title><p>a &amp; b</p>")
    }

    @Test func `without a layout, body is a property of the model`() throws {
        let folder = TemplateFolder(["page": "[{{body}}]"])
        #expect(try rendered(folder.templates(), "page", ["body": "mail"]) == "[mail]")
    }

    @Test func `a changed file is read again`() throws {
        let folder = TemplateFolder(["page": "old {{>part}}", "part": "P"])
        let templates = try folder.templates()
        #expect(try rendered(templates, "page", emptyModel) == "old P")
        folder.write("page", "new {{>part}}")
        #expect(try rendered(templates, "page", emptyModel) == "new P")
        folder.write("part", "other")
        #expect(try rendered(templates, "page", emptyModel) == "new other")
    }

    @Test func `a rescan reads a file saved since the last scan`() throws {
        let folder = TemplateFolder(["page": "old"])
        let templates = try Templates(
            folders: [.init(path: folder.path)], interval: .seconds(86_400))
        #expect(try rendered(templates, "page", emptyModel) == "old")
        folder.write("page", "newer")
        #expect(try rendered(templates, "page", emptyModel) == "old")
        templates.rescan()
        #expect(try rendered(templates, "page", emptyModel) == "newer")
    }

    @Test func `a file that could not be read is read at its next use`() throws {
        let folder = TemplateFolder(["page": "text"])
        let templates = try Templates(
            folders: [.init(path: folder.path)], interval: .seconds(86_400))
        folder.delete("page")
        #expect(throws: TemplateError.self) { try templates.render("page", emptyModel) }
        folder.write("page", "text")
        #expect(try rendered(templates, "page", emptyModel) == "text")
    }

    @Test func `a scan is current until a file or a folder changes`() {
        let folder = TemplateFolder(["parts/field": "a", "parts/button": "b"])
        func scan() -> TemplateScan {
            // In the past, so that the next change has another time.
            folder.setModificationTime("/parts", to: 1_000)
            return TemplateScan([.init(path: folder.path)])
        }
        let first = scan()
        #expect(first.isCurrent())
        folder.write("parts/field", "longer")
        #expect(!first.isCurrent())
        let second = scan()
        folder.write("parts/new", "c")
        #expect(!second.isCurrent())
        let third = scan()
        folder.delete("parts/button")
        #expect(!third.isCurrent())
        #expect(scan().isCurrent())
    }

    @Test func `a new file is found and a deleted one is removed`() throws {
        let folder = TemplateFolder(["a": "A"])
        let templates = try folder.templates()
        folder.write("b", "B")
        #expect(try rendered(templates, "b", emptyModel) == "B")
        folder.delete("a")
        #expect(!templates.contains("a"))
        #expect(throws: TemplateError.self) { try templates.render("a", emptyModel) }
    }

    @Test func `a broken file renders after it is fixed`() throws {
        let folder = TemplateFolder(["page": "{{#a}}"])
        let templates = try folder.templates()
        #expect(templates.errors().count == 1)
        folder.write("page", "fine")
        #expect(templates.errors().isEmpty)
        #expect(try rendered(templates, "page", emptyModel) == "fine")
    }

    @Test func `many tasks render one page at once`() async throws {
        let folder = TemplateFolder(["page": "{{#rows}}{{>row}}{{/rows}}", "row": "<{{n}}>"])
        let templates = try folder.templates()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<32 {
                group.addTask {
                    let rows = (0..<20).map { ["n": $0 * task] }
                    let expected = rows.map { "<\($0["n"]!)>" }.joined()
                    for _ in 0..<20 {
                        let text = try rendered(templates, "page", ["rows": rows])
                        #expect(text == expected)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `white space of a template is preserved`() throws {
        let text = "a  b\tc\r\n\r\n  d e\n\t\n{{x}} f \n g\n\n{{x}}\n  \nend "
        #expect(
            try rendered(text, ["x": "1 2"])
                == "a  b\tc\r\n\r\n  d e\n\t\n1 2 f \n g\n\n1 2\n  \nend ")
    }
}
