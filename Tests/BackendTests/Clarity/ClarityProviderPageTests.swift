import Core
import Testing
import Web

@testable import Backend

/// The page that Firebase's SDKs open for a sign-in at a provider.
@Suite(.timeLimit(.minutes(10))) struct ClarityProviderPageTests {
    private static let page = "/main/clarity/emulator/auth/handler?"
    private static let person = [
        ("decision", "allow"), ("name", "Ada </script>"), ("email", "ada@example.com"),
        ("verified", "yes"),
    ]

    private func query(_ changes: [(String, String)] = []) -> String {
        let names = Set(changes.map(\.0))
        let items = [
            ("apiKey", "key"), ("appName", "[DEFAULT]"), ("providerId", "google.com"),
            ("authType", "signInViaPopup"), ("eventId", "7"), ("scopes", "profile"),
        ].filter { !names.contains($0.0) }
        return Self.page + Form.encode((items + changes).filter { !$0.1.isEmpty })
    }

    private func submit(
        _ changes: [(String, String)] = [], _ fields: [(String, String)] = person
    ) async throws -> Reply {
        try await BackendFixture().submitForm(query(changes), fields)
    }

    /// The message for the script of the result page.
    private func message(_ reply: Reply) throws -> JSON {
        let start = try #require(reply.text.split(separator: "id=\"message\">").last)
        return try JSON(parsing: String(start.split(separator: "</script>")[0]))
    }

    @Test func `a popup gets an event whose URL has the claims as plain JSON`() async throws {
        let message = try message(try await submit())
        #expect(message["storageKey"] == "key:[DEFAULT]")
        #expect(message["redirectUrl"] == .null)
        let event = message["event"]
        #expect(event?["type"] == "signInViaPopup")
        #expect(event?["eventId"] == "7")
        #expect(event?["error"] == .null)
        let url = event?["urlResponse"]?.string ?? ""
        let target = try RequestTarget(
            parsing: String(url.dropFirst(BackendFixture.baseURL.count)))
        let values = target.query.map { ($0.name, $0.value) }
        #expect(values.first { $0.0 == "providerId" }?.1 == "google.com")
        let claims = try JSON(parsing: values.first { $0.0 == "id_token" }?.1 ?? "")
        #expect(claims["email"] == "ada@example.com")
        #expect(claims["name"] == "Ada </script>")
        #expect(claims["email_verified"] == true)
        #expect(claims["sub"]?.string?.isEmpty == false)
    }

    @Test func `a redirect returns to the page of the app, and to no script`() async throws {
        let type = [("authType", "signInViaRedirect")]
        let reply = try await submit(type + [("redirectUrl", "http://localhost:5000/login")])
        #expect(try message(reply)["redirectUrl"] == "http://localhost:5000/login")
        let bad = try await submit(type + [("redirectUrl", "javascript:alert(1)")])
        #expect(bad.status == 400)
    }

    @Test func `mobile apps are opened by their scheme`() async throws {
        let type = [("authType", "signInWithRedirect"), ("appName", "")]
        let iOS = try await submit(type + [("ibi", "com.example.app"), ("clientId", "a.b.c")])
        #expect(iOS.status == 303)
        #expect(
            iOS.headers["Location"]?.hasPrefix("c.b.a://firebaseauth/link?deep_link_id=") == true)
        let android = try await submit(type + [("apn", "com.example.app")])
        #expect(
            android.headers["Location"]?.contains("scheme=genericidp;package=com.example.app;")
                == true)
    }

    @Test func `a refusal is an event with an error`() async throws {
        let denied = try message(try await submit([], [("decision", "deny")]))
        #expect(denied["event"]?["error"]?["code"] == "auth/user-cancelled")
        #expect(denied["closes"] == false)
        #expect(try message(try await submit([], [("decision", "cancel")]))["closes"] == true)
    }

    @Test func `any provider has a page, and a request without a key has none`() async throws {
        let fixture = try await BackendFixture()
        func page(_ changes: [(String, String)]) async -> Reply {
            await fixture.send(Request(method: .get, target: query(changes)))
        }
        #expect(await page([]).heading == "Sign in with Google")
        #expect(await page([("providerId", "oidc.acme")]).heading == "Sign in with oidc.acme")
        let missing = await page([("apiKey", "")])
        #expect(missing.status == 400)
        #expect(
            missing.json["authEmulator"]?["error"]
                == "missing apiKey or providerId query parameters")
        #expect(await page([("appName", "")]).status == 400)
    }
}
