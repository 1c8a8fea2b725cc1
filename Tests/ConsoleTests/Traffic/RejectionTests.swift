import Support
import Testing
import Traffic
import Web

@testable import Console
@testable import Inspection

/// Explanations of rejections, with and without checks reported by the server.
@Suite(.timeLimit(.minutes(10))) struct RejectionTests {
    /// Imports a rejection of a request without a body by another server; returns the id of its
    /// exchange.
    private func importRejection(_ fixture: FoyerFixture, status: Int64 = 401) async throws
        -> String
    {
        let bearer: JSON = [
            "name": "Authorization",
            "value": "Bearer eyJhbGciOiJub25lIn0.eyJleHAiOjE2MDAwMDAwMDB9.c2ln",
        ]
        let imported = await fixture.ask(
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
                            ],
                            "response": [
                                "status": .int(status), "headers": [], "content": ["text": ""],
                            ],
                        ]
                    ],
                ]
            ])
        return try #require(imported.json["exchanges"]?[0]?.string)
    }

    @Test func `the API and the page derive the same checks`() async throws {
        let fixture = try await FoyerFixture()
        let id = try await importRejection(fixture)
        let page = await fixture.page("/traffic/\(id)").text
        #expect(page.contains("Inferred by Foyer"))
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        guard case .array(let checks)? = exchange["checks"] else {
            Issue.record("there are no checks")
            return
        }
        #expect(exchange["checksDerived"] == true)
        let shownChecks = page.split(separator: "data-testid=\"exchange.check\"")
        #expect(!checks.isEmpty && checks.count == shownChecks.count - 1)
        let failed = checks.first { $0["state"] == "failed" }
        #expect(failed?["name"] == "expiry")
    }

    @Test(arguments: [
        ("route", "no such route", "No such route."),
        ("emailVerified", "not verified", "Email not verified."),
        (
            "password", "wrong password, 2nd of 5",
            "Password rejected: wrong password, 2nd of 5."
        ), ("session", "", "Token's session ended."),
    ]) func `a check's evidence appears once in the message`(
        name: String, evidence: String, sentence: String
    ) {
        let check = ExchangeCheck(name: name, title: name, state: .failed, evidence: evidence)
        #expect(
            RejectionMessage.cause(check, status: 404, isExact: true, fault: nil, fill: { $0 })
                == sentence)
    }

    @Test func `a rejected media type is the body's failure, also without a body`() async throws {
        let fixture = try await FoyerFixture()
        let id = try await importRejection(fixture, status: 415)
        let page = await fixture.page("/traffic/\(id)").text
        #expect(page.contains("Unreadable body: 415 Unsupported Media Type. Inferred by Foyer."))
    }

    @Test func `checks that the server reported are not marked as derived`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let other = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: other)
        let id = try await fixture.exchange("call=login")
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["checksDerived"] == false)
        #expect(exchange["checks"]?[0] != nil)
    }
}
