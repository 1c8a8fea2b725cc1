import Templates
import Testing

/// How a template sees Swift values.
@Suite(.timeLimit(.minutes(10))) struct ModelTests {
    @Test func `a property is rendered by its name`() throws {
        struct Page: Encodable {
            let title = "Sign in"
            let attempts = 3
            let small: UInt8 = 7
            let ratio: Float = 0.5
        }
        #expect(
            try rendered("{{title}} {{attempts}} {{small}} {{ratio}}", Page()) == "Sign in 3 7 0.5")
    }

    @Test(arguments: [
        (3.0, "3"), (-0.25, "-0.25"), (1e300, "1e+300"), (0, "0"),
        (Double(Int64.min), "-9.223372036854776e+18"),
    ]) func `a number is written as in JSON`(number: Double, text: String) throws {
        #expect(try rendered("{{n}}", ["n": number]) == text)
    }

    @Test func `a section renders for true and not for false`() throws {
        let template = "{{#a}}A{{/a}}{{#b}}B{{/b}}{{^b}}no B{{/b}}{{a}}"
        #expect(try rendered(template, ["a": true, "b": false]) == "Ano B")
    }

    @Test func `a literal model's members are rendered by name, and nil hides an outer one`() throws
    {
        let row: TemplateModel = ["a": nil, "count": 2, "tags": ["x", "y"]]
        let model: TemplateModel = ["a": "outer", "b": "B", "rows": [row]]
        #expect(
            try rendered(
                "{{a}} {{#rows}}{{a}}{{b}}{{count}}{{#tags}}{{.}}{{/tags}}{{/rows}}", model)
                == "outer B2xy")
    }

    @Test func `a property that no template mentions is not encoded`() throws {
        struct Costly: Encodable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        struct Page: Encodable {
            struct Part: Encodable {
                let text = "here"
                let unread = Costly()
            }
            let part = Part()
            let list = [Part()]
            let unread = Costly()
        }
        #expect(
            try rendered("{{part.text}} {{#list}}{{text}}{{/list}}{{! unread }}", Page())
                == "here here")
        #expect(throws: TemplateError.self) {
            try rendered("{{#part}}{{& unread }}{{/part}}", Page())
        }
    }

    @Test func `a deferred member is made for the templates that refer to it`() async throws {
        let folder = TemplateFolder([
            "page": "{{title}}: {{> rows}}", "rows": "{{#rows}}{{.}}{{/rows}}", "head": "{{title}}",
        ])
        let templates = try folder.templates()
        let title: TemplateModel = ["title": "Mail"]
        let model = title.deferring("rows") { ["a", "b"] }
        let page = try await templates.resolve(model, for: ["page"])
        #expect(try rendered(templates, "page", page) == "Mail: ab")
        let failing = title.deferring("rows") { throw CancellationError() }
        let head = try await templates.resolve(failing, for: ["head"])
        #expect(try rendered(templates, "head", head) == "Mail")
        await #expect(throws: CancellationError.self) {
            try await templates.resolve(failing, for: ["head", "rows"])
        }
    }

    @Test func `a nil value hides an outer value of the same name`() throws {
        struct Row: Encodable {
            var note: String?
            var count: Int?
            var flag: Bool?
            var more: [String]?
        }
        struct Page: Encodable {
            let note = "outer"
            let count = 1
            let flag = true
            let more = ["outer"]
            let rows = [Row(), Row(note: "own", count: 2, flag: true)]
        }
        let template =
            "{{#rows}}[{{note}}{{count}}{{#flag}}!{{/flag}}{{#more}}{{.}}{{/more}}]{{/rows}}"
        #expect(try rendered(template, Page()) == "[][own2!]")
    }

    @Test func `a nil element of a list renders as nothing`() throws {
        let list: [String?] = ["a", nil, "b"]
        #expect(try rendered("{{#l}}<{{.}}>{{/l}}", ["l": list]) == "<a><><b>")
    }

    @Test func `an enumeration renders as its raw value`() throws {
        enum State: String, Encodable { case active, signedOut }
        struct Page: Encodable {
            let state = State.signedOut
            let all = [State.active]
        }
        #expect(try rendered("{{state}}{{#all}} {{.}}{{/all}}", Page()) == "signedOut active")
    }

    @Test func `a list says whether it has any elements`() throws {
        let template = "{{#a.any}}<ul>{{#a}}{{.}}{{/a}}</ul>{{/a.any}}{{^b.any}}no b{{/b.any}}"
        #expect(try rendered(template, ["a": ["1", "2"], "b": []]) == "<ul>12</ul>no b")
    }

    @Test func `a section renders for empty text and not for an empty list`() throws {
        struct Page: Encodable {
            let text = ""
            let list: [String] = []
        }
        #expect(try rendered("{{#text}}T{{/text}}{{^list}}L{{/list}}", Page()) == "TL")
    }

    @Test func `a model may encode its containers itself`() throws {
        struct Page: Encodable {
            enum Key: String, CodingKey { case object, list, late }

            func encode(to encoder: any Encoder) throws {
                var page = encoder.container(keyedBy: Key.self)
                var object = page.nestedContainer(keyedBy: Key.self, forKey: .object)
                var list = page.nestedUnkeyedContainer(forKey: .list)
                var inner = list.nestedUnkeyedContainer()
                var row = list.nestedContainer(keyedBy: Key.self)
                // Deliberately out of order: all containers stay open until the end.
                try list.encode("third")
                try page.encode("late", forKey: .late)
                try row.encode("row", forKey: .late)
                try inner.encode(1)
                try inner.encode(2)
                try object.encode("in", forKey: .late)
                var again = encoder.container(keyedBy: Key.self)
                try again.encodeNil(forKey: .object)
                try again.encode("again", forKey: .object)
            }
        }
        let template = "{{object}} {{late}}{{#list}};{{late}}{{#.}}{{.}}{{/.}}"
        #expect(try rendered(template + "{{/list}}", Page()) == "again late;late12;row;latethird")
    }

    @Test func `a subclass encodes its properties beside those of its parent`() throws {
        class Parent: Encodable { let name = "parent" }
        final class Child: Parent {
            enum Key: CodingKey { case own }

            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var own = encoder.container(keyedBy: Key.self)
                try own.encode("child", forKey: .own)
                try super.encode(to: own.superEncoder())
            }
        }
        #expect(try rendered("{{name}} {{own}} {{super.name}}", Child()) == "parent child parent")
    }

    @Test func `text of any length and script renders unchanged`() throws {
        let text = String(repeating: "größe 尺 👩‍👩‍👧 ", count: 500)
        #expect(try rendered("{{t}}", ["t": text]) == text)
        let long = String(repeating: "k", count: 300)
        #expect(try rendered("{{\(long)}}", [long: "v"]) == "v")
        #expect(try rendered("[{{t}}]", ["t": "a\0b"]) == "[a\0b]")
    }

    @Test func `a model that fails to encode is an error`() {
        struct Broken: Encodable {
            struct Reason: Error {}
            func encode(to encoder: any Encoder) throws { throw Reason() }
        }
        #expect(throws: (any Error).self) { try rendered("x", Broken()) }
    }

    @Test func `a page contains nothing of the page before it`() throws {
        struct Page: Encodable {
            struct Row: Encodable { var name: String? }
            var title: String?
            var secret: String?
            var rows: [Row] = []
            var grid: [[String]] = []
        }
        let folder = TemplateFolder([
            "page": "{{title}}{{#rows}}[{{name}}]{{/rows}}"
                + "{{#grid}}<{{#.}}{{.}}{{/.}}>{{/grid}}{{secret}}"
        ])
        let templates = try folder.templates()
        let full = Page(
            title: "long enough to need memory of its own", secret: "hidden",
            rows: [Page.Row(name: "a"), Page.Row(name: "b")], grid: [["1", "2"], ["3"]])
        let small = Page(title: "short", rows: [Page.Row()], grid: [["4"], []])
        for _ in 0..<3 {
            #expect(
                try rendered(templates, "page", full)
                    == "long enough to need memory of its own[a][b]<12><3>hidden")
            #expect(try rendered(templates, "page", small) == "short[]<4><>")
            #expect(try rendered(templates, "page", Page()) == "")
        }
    }

    @Test func `the next page renders completely after a model failed to encode`() throws {
        struct Broken: Encodable {
            struct Reason: Encodable {
                func encode(to encoder: any Encoder) throws { throw CancellationError() }
            }
            let list = ["left", "over"]
            let reason = Reason()
        }
        let folder = TemplateFolder(["page": "{{#list}}{{.}}{{/list}}{{reason}}"])
        let templates = try folder.templates()
        for _ in 0..<2 {
            #expect(throws: TemplateError.self) { try templates.render("page", Broken()) }
            #expect(try rendered(templates, "page", ["reason": "none"]) == "none")
        }
    }

    @Test func `a page too large for reuse of its memory renders correctly`() throws {
        let folder = TemplateFolder(["page": "{{#rows}}{{n}};{{/rows}}"])
        let templates = try folder.templates()
        let rows = (0..<3_000).map { ["n": String($0)] }
        let text = (0..<3_000).map { "\($0);" }.joined()
        for _ in 0..<2 { #expect(try rendered(templates, "page", ["rows": rows]) == text) }
    }
}
