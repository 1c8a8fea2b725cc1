import Support
import Testing
import Web

@testable import Console

/// What the page of one exchange says of it.
@Suite(.timeLimit(.minutes(10))) struct ExchangePageTests {
    /// The id of a sign-in that was refused.
    private func refused(_ fixture: FoyerFixture) async throws -> String {
        let device = await fixture.device()
        await fixture.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: device)
        return try await fixture.exchange("call=login")
    }

    private func again(_ id: String, _ edit: JSON, _ fixture: FoyerFixture) async throws -> String {
        let sent = await fixture.ask(.post, "/api/exchanges/\(id)/resend", json: edit)
        return try #require(sent.json["id"]?.string)
    }

    @Test func `what was sent again is numbered, and told from the app's own`() async throws {
        let fixture = try await FoyerFixture()
        let first = try await refused(fixture)
        let second = try await again(first, ["password": "wrong horse"], fixture)
        let third = try await again(first, ["edit": ["body": "{}"]], fixture)
        for id in [first, second, third] {
            let page = await fixture.page("/traffic/\(id)").text
            let line = try #require(
                page.split(separator: "\n").first { $0.contains("exchange.attempts") })
            let words = ["1 of 3, 4", "2 of 3, sent again, 4", "3 of 3, sent again by hand, 4"]
            for (other, word) in zip([first, second, third], words) {
                let start = other == id ? "<strong aria-current=\"true\">" : "\(other)\">"
                #expect(line.contains(start + word), "\(line)")
            }
        }
    }

    @Test func `a command whose password has to be put in says so`() async throws {
        let fixture = try await FoyerFixture()
        let login = await fixture.page("/traffic/\(try await refused(fixture))").text
        #expect(login.contains("the password is not recorded; put it in"))
        #expect(!login.contains("nothing in it is masked"))
        _ = try await fixture.registered()
        let me = await fixture.page("/traffic/\(try await fixture.exchange("call=me"))").text
        #expect(me.contains("masked here, whole when copied"))
        #expect(!me.contains("put it in"))
    }

    @Test func `a command with nothing secret in it says so whatever was answered`() async throws {
        let fixture = try await FoyerFixture()
        let id = try await refused(fixture)
        let plain = try await again(id, ["edit": ["body": "{}"]], fixture)
        let page = await fixture.page("/traffic/\(plain)").text
        #expect(page.contains("nothing in it is masked"))
    }
}
