import Apps
import FoundationEssentials
import Testing
import Web

/// Manifests that are made from a contract or an OpenAPI document.
@Suite(.timeLimit(.minutes(10))) struct AppDraftTests {
    private static let contracts = ["bob", "clarity", "mystica", "socoto", "wall"]

    private func manifest(
        _ source: AppDraft.Source, name: String = "Raft's", base: String = "http://localhost:9"
    ) throws -> (app: App, text: String) {
        let draft = AppDraft(name: name, color: "#ffcc00", base: base, source: source)
        let text = try draft.manifest(contracts: Self.contracts) { id in
            (try? Manifests.text(id)).map { Array($0.utf8) }
        }
        return (
            try App(id: draft.id, file: "app.json5", text: text, contracts: Self.contracts), text
        )
    }

    @Test(arguments: contracts)
    func `a contract's app has the screens and calls of the bundled one`(
        contract: String
    ) throws {
        let made = try manifest(.contract(contract)).app
        let bundled = try Manifests.bundled(contract)
        #expect(made.name == "Raft's")
        #expect(made.look.background == "#ffcc00")
        #expect(made.screens.map(\.id) == bundled.screens.map(\.id))
        #expect(Set(made.calls.keys) == Set(bundled.calls.keys))
        #expect(made.backends.map(\.id) == ["backend", "embedded"])
        #expect(made.backends[1].contract == contract)
        let embedded = try manifest(.contract(contract), base: "").app
        #expect(embedded.backends.map(\.id) == ["embedded"])
    }

    /// As FastAPI writes it, with references, a form and a nullable field.
    private static let fastAPI = #"""
        {"openapi": "3.1.0", "info": {"title": "Fast"}, "paths": {
          "/auth/login": {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded":
            {"schema": {"$ref": "#/components/schemas/Login"}}}}, "responses": {"403": {}, "200":
            {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Token"}}}}}}},
          "/auth/register": {"post": {"requestBody": {"content": {"application/json": {"schema":
            {"type": "object", "required": ["email", "password"], "properties": {
              "email": {"type": "string", "format": "email"},
              "password": {"type": "string", "minLength": 12}, "bio": {"type": "string"}}}}}},
            "responses": {"201": {}}}},
          "/auth/verify": {"post": {"requestBody": {"content": {"application/json": {"schema":
            {"type": "object", "required": ["token"], "properties": {"token": {"type": "string"}}}}}},
            "responses": {"200": {}}}},
          "/auth/reset-password": {"post": {"requestBody": {"content": {"application/json": {
            "schema": {"type": "object", "properties": {"token": {}, "password": {}}}}}}}},
          "/auth/refresh": {"post": {"requestBody": {"content": {"application/json": {"schema":
            {"type": "object", "properties": {"refresh": {"type": "string"}}}}}},
            "responses": {"200": {"content": {"application/json":
              {"schema": {"$ref": "#/components/schemas/Token"}}}}}}},
          "/users/me": {"get": {"security": [{"token": []}], "responses": {"200": {}}}},
          "/users/{id}": {"get": {"security": [{"token": []}], "responses": {"200": {}}}},
          "/auth/logout": {"post": {"security": [{"token": []}], "responses": {"204": {}}}}},
         "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}, "schemas": {
          "Login": {"type": "object", "required": ["username", "password"], "properties": {
            "grant_type": {"anyOf": [{"type": "string", "pattern": "^password$"}, {"type": "null"}]},
            "username": {"type": "string"}, "password": {"type": "string"},
            "scope": {"type": "string"}}},
          "Token": {"type": "object", "properties": {"data": {"type": "object", "properties": {
            "accessToken": {"type": "string"}, "refresh_token": {"type": "string"}}}}}}}}
        """#

    @Test func `the operations of a sign-in are found in an OpenAPI document`() throws {
        let (app, text) = try manifest(.openAPI(Self.fastAPI))
        #expect(!text.contains(AppDraft.checkPrefix))
        #expect(
            app.calls.mapValues(\.request.path) == [
                "login": "/auth/login", "register": "/auth/register", "verify": "/auth/verify",
                "refresh": "/auth/refresh", "me": "/users/me", "logout": "/auth/logout",
            ])
        #expect(app.screens.map(\.id) == ["splash", "login", "register", "verify", "home"])
        let capture = app.calls["login"]?.success.capturePointers
        #expect(
            capture == [
                "accessToken": ["/data/accessToken"], "refreshToken": ["/data/refresh_token"],
            ])
        #expect(app.session.refreshCall == "refresh")
        #expect(app.bearerNames == ["accessToken"])
        #expect(app.screen("login")?.fields.map(\.name) == ["username", "password"])
        let register = try #require(app.screen("register"))
        #expect(register.fields.map(\.name) == ["email", "password"])
        let errors = register.check(
            ["email": "a@b", "password": "short"], for: try #require(register.submitAction))
        #expect(errors == ["password": "At least 12 characters"])
    }

    @Test func `what is not found is a comment, and the app is valid`() throws {
        let text = try manifest(
            .openAPI(#"{"swagger": "2.0", "paths": {}, "basePath": "/api"}"#)
        ).text
        #expect(text.contains("// Check: no login was found"))
        #expect(text.contains("base: 'http://localhost:9/api'"))
    }

    @Test(arguments: [
        ("openapi: 3.0.0", "is not JSON. Convert a YAML document"), ("", "is empty"),
        ("{}", "no openapi version"), ("{", "is not valid JSON"),
    ]) func `another text than an OpenAPI document in JSON is refused`(
        text: String, message: String
    ) throws {
        let problem = try #require(throws: Problem.self) { try manifest(.openAPI(text)) }
        #expect(problem.errors.map(\.pointer) == ["/openapi"])
        #expect(problem.errors[0].detail.contains(message))
    }

    @Test func `each invalid field is an error`() throws {
        let draft = AppDraft(
            name: " 7 ", color: "red", base: "ftp://x", source: .contract("mystica"))
        #expect(draft.errors.map(\.pointer) == ["/name", "/color", "/base"])
    }

    @Test(arguments: [("Ünï 🙂", "uni"), ("Café Zoë 2", "cafe-zoe-2"), ("Łódź", "lodz")])
    func `the folder's name has the letters without accents`(name: String, id: String) {
        #expect(AppDraft(name: name, color: "", base: "", source: .openAPI("")).id == id)
    }
}
