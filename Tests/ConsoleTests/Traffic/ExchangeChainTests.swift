import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// What an exchange's page says the user saw of it.
@Suite(.timeLimit(.minutes(10))) struct ExchangeChainTests {
    /// The last step of the newest refused exchange's page.
    private func end(_ house: WholeHouse, of query: String) async throws -> String {
        let id = try await house.exchange(query)
        let page = await house.page("/traffic/\(id)").text
        let steps = page.split(separator: "<li class=\"chain-step ")
        return String(try #require(steps.last).prefix(600))
    }

    @Test(arguments: ["call=me&status=401", "call=refresh&status=401"])
    func `who was thrown out is not said to have seen nothing`(query: String) async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        await house.submitted("/studio/mystica/seed", [("state", "revoked")], device: device)
        await house.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let end = try await end(house, of: query)
        #expect(end.hasPrefix("chain-bad"))
        #expect(end.contains("login shown"))
        #expect(end.contains("Session expired. Please login again."))
        #expect(!end.contains("saw nothing"))
    }

    @Test func `what went well all along hid nothing from the user`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let end = try await end(house, of: "call=me&status=200")
        #expect(end.hasPrefix("chain-end"))
        #expect(end.contains("map shown"))
        #expect(!end.contains("saw nothing"))
    }

    @Test func `an error on the screen is the end of its call`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let other = await house.device()
        await house.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: other)
        let end = try await end(house, of: "call=login")
        #expect(end.hasPrefix("chain-bad"))
        #expect(!end.contains("saw nothing"))
    }
}
