import FoundationEssentials
import Secrets
import Support
import Surroundings
import Testing
import Web

@testable import Backend

/// A workspace's clock decides what has ended there, and nowhere else.
@Suite(.timeLimit(.minutes(10))) struct ClockTests {
    @Test func `an access token ends when its workspace's clock says so`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().accessToken
        #expect(await house.call(.get, "/auth/me", bearer: token).status == 200)
        house.clocks.set(Clock(offset: 3_601), of: "main")
        #expect(await house.call(.get, "/auth/me", bearer: token).status == 401)
        house.clocks.set(Clock(), of: "main")
        #expect(await house.call(.get, "/auth/me", bearer: token).status == 200)
    }

    @Test func `a moved clock is no other workspace's`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        let token = try await house.signedIn().accessToken
        house.clocks.set(Clock(offset: 86_400), of: "other")
        #expect(await house.call(.get, "/auth/me", bearer: token).status == 200)
    }

    @Test func `what is signed ahead of time says so`() async throws {
        let house = try await BackendHouse()
        house.clocks.set(Clock(offset: 900), of: "main")
        let token = try await house.signedIn().accessToken
        let issued = Token(decoding: token).issuedAt
        let now = Int64(house.frozen.now.timeIntervalSince1970)
        #expect(issued == now + 900)
    }

    @Test func `a mailed link ends by the workspace's clock`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let link = try await house.link(to: BackendHouse.email)
        house.clocks.set(Clock(offset: 86_401), of: "main")
        #expect(await house.follow(link).status != 200)
    }

    @Test func `a mail limit ends when the clock has passed it`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let body: JSON = ["email": .string(BackendHouse.email)]
        for _ in 0..<10 { _ = await house.post("/auth/resend-verification", body) }
        let held = await house.mailCount()
        house.clocks.set(Clock(offset: 86_400), of: "main")
        _ = await house.post("/auth/resend-verification", body)
        #expect(await house.mailCount() == held + 1)
    }

    @Test func `set back, the clock holds nobody for what is still to come`() async throws {
        let house = try await BackendHouse()
        house.clocks.set(Clock(offset: 86_400), of: "main")
        await house.register()
        let body: JSON = ["email": .string(BackendHouse.email)]
        for _ in 0..<10 { _ = await house.post("/auth/resend-verification", body) }
        house.clocks.set(Clock(), of: "main")
        let held = await house.mailCount()
        _ = await house.post("/auth/resend-verification", body)
        #expect(await house.mailCount() == held + 1)
    }
}

extension BackendHouse {
    fileprivate func mailCount() async -> Int {
        (try? await backend.mailbox.count(workspace: "main")) ?? 0
    }
}
