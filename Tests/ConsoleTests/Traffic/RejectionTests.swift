import Support
import Testing
import Traffic
import Web

@testable import Console

/// Why somebody said no, where no server told what it had checked.
@Suite(.timeLimit(.minutes(10))) struct RejectionTests {
    /// A refusal of a server elsewhere, by an archive.
    private func refused(_ fixture: FoyerFixture) async throws -> String {
        let bearer: JSON = [
            "name": "Authorization",
            "value": "Bearer eyJhbGciOiJub25lIn0.eyJleHAiOjE2MDAwMDAwMDB9.c2ln",
        ]
        let taken = await fixture.ask(
            .post, "/api/exchanges/import",
            json: [
                "log": [
                    "version": "1.2",
                    "entries": [
                        [
                            "startedDateTime": "2026-11-20T10:00:00.250Z", "time": 1,
                            "request": [
                                "method": "GET", "url": "https://api.example.com/me",
                                "headers": [bearer],
                            ], "response": ["status": 401, "headers": [], "content": ["text": ""]],
                        ]
                    ],
                ]
            ])
        return try #require(taken.json["exchanges"]?[0]?.string)
    }

    @Test func `the API derives the checks its page derives`() async throws {
        let fixture = try await FoyerFixture()
        let id = try await refused(fixture)
        let page = await fixture.page("/traffic/\(id)").text
        #expect(page.contains("derived from here"))
        let told = await fixture.ask(.get, "/api/exchanges/\(id)").json
        guard case .array(let checks)? = told["checks"] else {
            Issue.record("there are no checks")
            return
        }
        #expect(told["checksDerived"] == true)
        let shown = page.split(separator: "data-testid=\"exchange.check\"")
        #expect(!checks.isEmpty && checks.count == shown.count - 1)
        let failed = checks.first { $0["state"] == "failed" }
        #expect(failed?["name"] == "expiry")
    }

    @Test(arguments: [
        ("route", "nothing answers this method and path", "Nothing answers this method and path."),
        ("verified", "never verified", "The e-mail was never verified."),
        (
            "password", "wrong password, 2nd of 5",
            "The password did not match: wrong password, 2nd of 5."
        ), ("session", "", "The token's session is over."),
    ]) func `what a check found is said once`(name: String, evidence: String, sentence: String) {
        let check = ExchangeCheck(name: name, title: name, state: .failed, evidence: evidence)
        #expect(
            RejectionMessage.cause(check, status: 404, isExact: true, fault: nil, fill: { $0 })
                == sentence)
    }

    @Test func `what the server checked itself is not called derived`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let other = await fixture.device()
        await fixture.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: other)
        let id = try await fixture.exchange("call=login")
        let told = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(told["checksDerived"] == false)
        #expect(told["checks"]?[0] != nil)
    }
}
