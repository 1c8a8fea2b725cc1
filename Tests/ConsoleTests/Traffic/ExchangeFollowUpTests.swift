import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// The follow-up steps on an exchange's page: what the user saw.
@Suite(.timeLimit(.minutes(10))) struct ExchangeFollowUpTests {
    /// The last follow-up step on the page of the newest exchange that matches `query`.
    private func lastStep(_ fixture: FoyerFixture, of query: String) async throws -> String {
        let id = try await fixture.exchange(query)
        let page = await fixture.page("/traffic/\(id)").text
        let steps = page.split(separator: "<li class=\"follow-up-step ")
        return String(try #require(steps.last).prefix(600))
    }

    @Test(arguments: ["call=me&status=401", "call=refresh&status=401"])
    func `a forced sign-out is shown as visible to the user`(query: String) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully(
            "/studio/mystica/seed", [("state", "revoked")], device: device)
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let step = try await lastStep(fixture, of: query)
        #expect(step.hasPrefix("follow-up-bad"))
        #expect(step.contains("login shown"))
        #expect(step.contains("Session expired. Please login again."))
        #expect(!step.contains("Invisible to the user"))
    }

    @Test func `a successful call is not shown as invisible to the user`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let step = try await lastStep(fixture, of: "call=me&status=200")
        #expect(step.hasPrefix("follow-up-end"))
        #expect(step.contains("map shown"))
        #expect(!step.contains("Invisible to the user"))
    }

    @Test func `an error on the screen is the last step of its call`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let other = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: other)
        let step = try await lastStep(fixture, of: "call=login")
        #expect(step.hasPrefix("follow-up-bad"))
        #expect(!step.contains("Invisible to the user"))
    }
}
