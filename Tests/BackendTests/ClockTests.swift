import Core
import Crypto
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

/// A workspace's clock decides what has ended there, and nowhere else.
@Suite(.timeLimit(.minutes(10))) struct ClockTests {
    @Test func `an access token ends when its workspace's clock says so`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signedIn().accessToken
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 200)
        fixture.clocks.set(Clock(offset: 3_601), of: "main")
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 401)
        fixture.clocks.set(Clock(), of: "main")
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 200)
    }

    @Test func `a moved clock is no other workspace's`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let token = try await fixture.signedIn().accessToken
        fixture.clocks.set(Clock(offset: 86_400), of: "other")
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 200)
    }

    @Test func `what is signed ahead of time says so`() async throws {
        let fixture = try await BackendFixture()
        fixture.clocks.set(Clock(offset: 900), of: "main")
        let token = try await fixture.signedIn().accessToken
        let issued = Token(decoding: token).issuedAt
        let now = Int64(fixture.frozen.now.timeIntervalSince1970)
        #expect(issued == now + 900)
    }

    @Test func `a mailed link ends by the workspace's clock`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        fixture.clocks.set(Clock(offset: 86_401), of: "main")
        #expect(await fixture.follow(link).status != 200)
    }

    @Test func `a mail limit ends when the clock has passed it`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let body: JSON = ["email": .string(BackendFixture.email)]
        for _ in 0..<10 { _ = await fixture.post("/auth/resend-verification", body) }
        let held = await fixture.mailCount()
        fixture.clocks.set(Clock(offset: 86_400), of: "main")
        _ = await fixture.post("/auth/resend-verification", body)
        #expect(await fixture.mailCount() == held + 1)
    }

    @Test func `set back, the clock holds nobody for what is still to come`() async throws {
        let fixture = try await BackendFixture()
        fixture.clocks.set(Clock(offset: 86_400), of: "main")
        await fixture.register()
        let body: JSON = ["email": .string(BackendFixture.email)]
        for _ in 0..<10 { _ = await fixture.post("/auth/resend-verification", body) }
        fixture.clocks.set(Clock(), of: "main")
        let held = await fixture.mailCount()
        _ = await fixture.post("/auth/resend-verification", body)
        #expect(await fixture.mailCount() == held + 1)
    }
}

extension BackendFixture {
    fileprivate func mailCount() async -> Int {
        (try? await backend.mailbox.count(workspace: "main")) ?? 0
    }
}
