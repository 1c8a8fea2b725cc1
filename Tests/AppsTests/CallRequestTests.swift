@testable import Apps
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct CallRequestTests {
    /// The request made from `template` as the request of the call `me`.
    private func request(
        _ template: String, base: String = "https://api.example.com/v1",
        _ variables: [String: JSON] = [:]
    ) throws -> OutboundRequest {
        let app = try Manifests.app(
            ("{ method: 'GET', path: '/me', bearer: 'accessToken' }", template))
        return try #require(app.calls["me"]).makeRequest(
            base: base, variables: Variables(variables), timeout: .seconds(3))
    }

    @Test func `the path is appended to a base with or without a trailing slash`() throws {
        let template = "{ method: 'GET', path: '/me' }"
        for base in ["https://a.com/v1", "https://a.com/v1/"] {
            #expect(try request(template, base: base).url == "https://a.com/v1/me")
        }
    }

    @Test func `a request accepts JSON and has the bearer token and the timeout`() throws {
        let request = try request(
            "{ method: 'GET', path: '/me', bearer: 'accessToken' }", ["accessToken": "T"])
        #expect(request.headers == ["Accept": "application/json", "Authorization": "Bearer T"])
        #expect(request.timeout == .seconds(3))
        #expect(request.body.isEmpty)
    }

    @Test func `a query keeps its order and is escaped`() throws {
        let request = try request(
            "{ method: 'GET', path: '/x', query: { z: '{email}', 'a b': 'c&d', n: 7 } }",
            ["email": "a+b@c.d&x=y#z"])
        #expect(
            request.url == "https://api.example.com/v1/x?z=a%2Bb%40c.d%26x%3Dy%23z&a%20b=c%26d&n=7")
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("a b", "a%20b"), ("?x#y", "%3Fx%23y"),
        ("../up", "..%2Fup"), ("%2e%2e", "%252e%252e"), ("ü", "%C3%BC"),
        ("...", "..."), ("a\r\nHost: b", "a%0D%0AHost%3A%20b"),
    ])
    func `a value in the path stays in its segment`(
        value: String, escaped: String
    ) throws {
        let request = try request(
            "{ method: 'GET', path: '/u/{email}/x' }", ["email": .string(value)])
        #expect(request.url == "https://api.example.com/v1/u/\(escaped)/x")
    }

    @Test(arguments: ["", ".", ".."]) func `a value that would change the path is refused`(
        value: String
    ) throws {
        let problem = try #require(throws: Problem.self) {
            try request("{ method: 'GET', path: '/u/{email}/x' }", ["email": .string(value)])
        }
        #expect(problem.title.contains("email"))
    }

    @Test func `a JSON body keeps order and types and escapes text`() throws {
        let request = try request(
            """
            { method: 'POST', path: '/x', json: {
              z: '{user}', a: 'Hi {email}', n: [1, true, null, '{missing.x}'.x] } }
            """.replacing(", '{missing.x}'.x", with: ", '{user.gone}'"),
            ["user": ["id": 7], "email": "\"a\\\n"])
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"z":{"id":7},"a":"Hi \"a\\\n","n":[1,true,null,null]}"#)
        #expect(request.headers["Content-Type"] == "application/json")
    }

    @Test func `a value cannot break out of its JSON string`() throws {
        let request = try request(
            "{ method: 'POST', path: '/x', json: { a: '{email}' } }",
            ["email": #"x","admin":true,"y":""#])
        let body = try JSONReader.read(request.body)
        #expect(body == ["a": #"x","admin":true,"y":""#])
    }

    @Test(arguments: ["a\r\nX: y", "a\nb", "a\0b", "a\u{7F}", "a\u{1B}[0m"])
    func `a header value with control characters is refused`(value: String) throws {
        for template in [
            "{ method: 'GET', path: '/x', headers: { 'X-A': '{email}' } }",
            "{ method: 'GET', path: '/x', bearer: 'accessToken' }",
        ] {
            #expect(throws: Problem.self) {
                try request(template, ["email": .string(value), "accessToken": .string(value)])
            }
        }
    }

    @Test(arguments: [nil, "", .null] as [JSON?])
    func `a missing bearer token is named in the error`(
        token: JSON?
    ) throws {
        let problem = try #require(throws: Problem.self) {
            try request(
                "{ method: 'GET', path: '/me', bearer: 'accessToken' }",
                token.map { ["accessToken": $0] } ?? [:])
        }
        #expect(problem.code == "missing-token")
        #expect(problem.title.contains("accessToken"))
    }

    @Test func `a header in the manifest replaces the default`() throws {
        let request = try request(
            "{ method: 'POST', path: '/x', json: {},"
                + " headers: { accept: 'text/plain', 'content-type': 'a/b' } }")
        #expect(request.headers.all("Accept") == ["text/plain"])
        #expect(request.headers.all("Content-Type") == ["a/b"])
    }
}

@Suite(.timeLimit(.minutes(10))) struct VariablesTests {
    private let variables = Variables([
        "email": "a@b.c", "user": ["id": 7, "name": nil, "deep": ["x": "y"]], "device.uuid": "U",
        "on": true,
    ])

    @Test(arguments: [
        ("Hi {email}!", "Hi a@b.c!"), ("{user.id}", "7"),
        ("{user.deep.x}", "y"),
        ("{device.uuid}", "U"), ("{on}", "true"), ("{unknown}", ""),
        ("{user.name}", ""), ("{user}", ""), ("{user.id.x}", ""), ("{}", "{}"),
        ("{a b}", "{a b}"), ("{email", "{email"), ("{{email}}", "{a@b.c}"),
        ("{.x}", "{.x}"), ("}{", "}{"), ("ü{email}ü", "üa@b.cü"), ("", ""),
    ])
    func `placeholders in a text are replaced by their values`(text: String, filled: String) {
        #expect(variables.fill(text) == filled)
        #expect(variables.segments(text).map(\.text).joined() == filled)
    }

    @Test func `braces in a value are not filled again`() {
        let variables = Variables(["a": "{b}", "b": "secret"])
        #expect(variables.fill("{a}") == "{b}")
    }

    @Test func `null counts as missing`() {
        let variables = Variables(["a": .null, "b": ["c": .null]])
        for name in ["a", "b.c", "gone", "b.gone", "gone.c"] {
            #expect(variables[name].map { _ in name } == String?.none)
        }
        #expect(!variables.hasValues(for: "{a}"))
    }

    @Test func `segments mark which text is a variable`() {
        #expect(
            variables.segments("to {email}.") == [
                .init(text: "to ", isVariable: false), .init(text: "a@b.c", isVariable: true),
                .init(text: ".", isVariable: false),
            ])
    }
}
