import Support
import Testing
import Web

@testable import Console

/// The page of a single exchange.
@Suite(.timeLimit(.minutes(10))) struct ExchangePageTests {
    /// The exchange id of a rejected sign-in.
    private func rejectedSignIn(_ fixture: FoyerFixture) async throws -> String {
        let device = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: device)
        return try await fixture.exchange("call=login")
    }

    private func resend(_ id: String, _ edit: JSON, _ fixture: FoyerFixture) async throws -> String
    {
        let sent = await fixture.ask(.post, "/api/exchanges/\(id)/resend", json: edit)
        return try #require(sent.json["id"]?.string)
    }

    @Test func `resent requests are numbered and distinguished from the app's own`() async throws {
        let fixture = try await FoyerFixture()
        let first = try await rejectedSignIn(fixture)
        let second = try await resend(first, ["password": "wrong horse"], fixture)
        let third = try await resend(first, ["edit": ["body": "{}"]], fixture)
        for id in [first, second, third] {
            let page = await fixture.page("/traffic/\(id)").text
            let line = try #require(
                page.split(separator: "\n").first { $0.contains("exchange.attempts") })
            let labels = ["1 of 3, 4", "2 of 3, resent, 4", "3 of 3, edited and resent, 4"]
            for (other, label) in zip([first, second, third], labels) {
                let start = other == id ? "<strong aria-current=\"true\">" : "\(other)\">"
                #expect(line.contains(start + label), "\(line)")
            }
        }
    }

    @Test func `a cURL command notes that its password is missing`() async throws {
        let fixture = try await FoyerFixture()
        let login = await fixture.page("/traffic/\(try await rejectedSignIn(fixture))").text
        #expect(login.contains("Password not recorded, fill it in"))
        #expect(!login.contains("No secrets"))
        _ = try await fixture.registered()
        let me = await fixture.page("/traffic/\(try await fixture.exchange("call=me"))").text
        #expect(me.contains("Masked here, unmasked when copied"))
        #expect(!me.contains("fill it in"))
    }

    @Test func `a cURL command notes that it has no secrets, whatever the response`() async throws {
        let fixture = try await FoyerFixture()
        let id = try await rejectedSignIn(fixture)
        let plain = try await resend(id, ["edit": ["body": "{}"]], fixture)
        let page = await fixture.page("/traffic/\(plain)").text
        #expect(page.contains("No secrets"))
    }
}
