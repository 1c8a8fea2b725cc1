import Support
import Testing
import Web

@testable import Console

/// What an archive's exchanges are taken for, and where they are sent again.
@Suite(.timeLimit(.minutes(10))) struct MatchingTests {
    private static let base = "http://127.0.0.1:7071/main/socoto"

    private func take(_ url: String, into fixture: FoyerFixture) async throws -> JSON {
        let entry: JSON = [
            "startedDateTime": "2026-11-20T10:00:00.250Z", "time": 1,
            "request": [
                "method": "POST", "url": .string(url), "headers": [], "postData": ["text": "{}"],
            ], "response": ["status": 200, "headers": [], "content": ["text": ""]],
        ]
        let taken = await fixture.ask(
            .post, "/api/exchanges/import", json: ["log": ["version": "1.2", "entries": [entry]]]
        ).json
        let id = try #require(taken["exchanges"]?[0]?.string)
        return await fixture.ask(.get, "/api/exchanges/\(id)").json
    }

    @Test(arguments: [
        ("/auth/v1/token?grant_type=password", "signIn"),
        ("/auth/v1/token?grant_type=refresh_token", "refresh"),
        ("/auth/v1/token?grant_type=other", "imported"), ("/auth/v1/elsewhere", "imported"),
    ]) func `calls of one address are told apart by what they say`(target: String, call: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let kept = try await take(Self.base + target, into: fixture)
        #expect(kept["app"] == "socoto")
        #expect(kept["call"]?.string == call)
    }

    @Test func `only whole segments belong to a backend`() async throws {
        let fixture = try await FoyerFixture()
        let kept = try await take(Self.base + "x/auth/v1/user", into: fixture)
        #expect(kept["app"] == "imported")
    }

    @Test func `an address in a query is no address to send to`() async throws {
        let fixture = try await FoyerFixture()
        let kept = try await take(Self.base + "/auth/v1/token?grant_type=password", into: fixture)
        let id = try #require(kept["id"]?.string)
        func send(_ path: String) async -> (status: Int, json: JSON) {
            let answer = await fixture.ask(
                .post, "/api/exchanges/\(id)/resend", json: ["edit": ["path": .string(path)]])
            return (answer.status, answer.json)
        }
        let sent = await send("/main/socoto/auth/v1/user?next=https://evil.example/")
        #expect(sent.status < 300)
        for path in ["https://evil.example/", "//evil.example/", "evil"] {
            let refused = await send(path)
            #expect(refused.status == 400)
            #expect(refused.json["errors"]?[0]?["pointer"] == "/edit/path")
        }
    }
}
