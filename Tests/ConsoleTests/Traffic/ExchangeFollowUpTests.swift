import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// What an exchange's page says the user saw of it.
@Suite(.timeLimit(.minutes(10))) struct ExchangeFollowUpTests {
    /// The last step of the newest refused exchange's page.
    private func end(_ fixture: FoyerFixture, of query: String) async throws -> String {
        let id = try await fixture.exchange(query)
        let page = await fixture.page("/traffic/\(id)").text
        let steps = page.split(separator: "<li class=\"chain-step ")
        return String(try #require(steps.last).prefix(600))
    }

    @Test(arguments: ["call=me&status=401", "call=refresh&status=401"])
    func `who was thrown out is not said to have seen nothing`(query: String) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitted("/studio/mystica/seed", [("state", "revoked")], device: device)
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let end = try await end(fixture, of: query)
        #expect(end.hasPrefix("chain-bad"))
        #expect(end.contains("login shown"))
        #expect(end.contains("Session expired. Please login again."))
        #expect(!end.contains("saw nothing"))
    }

    @Test func `what went well all along hid nothing from the user`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let end = try await end(fixture, of: "call=me&status=200")
        #expect(end.hasPrefix("chain-end"))
        #expect(end.contains("map shown"))
        #expect(!end.contains("saw nothing"))
    }

    @Test func `an error on the screen is the end of its call`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let other = await fixture.device()
        await fixture.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: other)
        let end = try await end(fixture, of: "call=login")
        #expect(end.hasPrefix("chain-bad"))
        #expect(!end.contains("saw nothing"))
    }
}
