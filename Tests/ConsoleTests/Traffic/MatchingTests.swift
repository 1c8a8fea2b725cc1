import Support
import Testing
import Web

@testable import Console

/// Which call an imported exchange is matched to, and where it is resent.
@Suite(.timeLimit(.minutes(10))) struct MatchingTests {
    private static let base = "http://127.0.0.1:7071/main/socoto"

    private func importExchange(_ url: String, into fixture: FoyerFixture) async throws -> JSON {
        let entry: JSON = [
            "startedDateTime": "2026-11-20T10:00:00.250Z", "time": 1,
            "request": [
                "method": "POST", "url": .string(url), "headers": [], "postData": ["text": "{}"],
            ], "response": ["status": 200, "headers": [], "content": ["text": ""]],
        ]
        let imported = await fixture.ask(
            .post, "/api/exchanges/import", json: ["log": ["version": "1.2", "entries": [entry]]]
        ).json
        let id = try #require(imported["exchanges"]?[0]?.string)
        return await fixture.ask(.get, "/api/exchanges/\(id)").json
    }

    @Test(arguments: [
        ("/auth/v1/token?grant_type=password", "signIn"),
        ("/auth/v1/token?grant_type=refresh_token", "refresh"),
        ("/auth/v1/token?grant_type=other", "imported"), ("/auth/v1/elsewhere", "imported"),
    ]) func `calls of one path are distinguished by their query`(target: String, call: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let exchange = try await importExchange(Self.base + target, into: fixture)
        #expect(exchange["app"] == "socoto")
        #expect(exchange["call"]?.string == call)
    }

    @Test func `a backend's base matches complete path segments only`() async throws {
        let fixture = try await FoyerFixture()
        let exchange = try await importExchange(Self.base + "x/auth/v1/user", into: fixture)
        #expect(exchange["app"] == "imported")
    }

    @Test func `a URL in a query does not change the server of a resend`() async throws {
        let fixture = try await FoyerFixture()
        let exchange = try await importExchange(
            Self.base + "/auth/v1/token?grant_type=password", into: fixture)
        let id = try #require(exchange["id"]?.string)
        func resend(_ path: String) async -> (status: Int, json: JSON) {
            let response = await fixture.ask(
                .post, "/api/exchanges/\(id)/resend", json: ["edit": ["path": .string(path)]])
            return (response.status, response.json)
        }
        let sent = await resend("/main/socoto/auth/v1/user?next=https://evil.example/")
        #expect(sent.status < 300)
        for path in ["https://evil.example/", "//evil.example/", "evil"] {
            let rejected = await resend(path)
            #expect(rejected.status == 400)
            #expect(rejected.json["errors"]?[0]?["pointer"] == "/edit/path")
        }
    }
}
