import Core
import Crypto
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

/// A workspace's clock decides what has expired there, and in no other workspace.
@Suite(.timeLimit(.minutes(10))) struct ClockTests {
    @Test func `an access token expires by its workspace's clock`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().accessToken
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 200)
        fixture.clocks.set(Clock(offset: 3_601), of: "main")
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 401)
        fixture.clocks.set(Clock(), of: "main")
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 200)
    }

    @Test func `an adjusted clock affects no other workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let token = try await fixture.signInVerified().accessToken
        fixture.clocks.set(Clock(offset: 86_400), of: "other")
        #expect(await fixture.call(.get, "/auth/me", bearer: token).status == 200)
    }

    @Test func `a token signed with an adjusted clock has that clock's issue time`() async throws {
        let fixture = try await BackendFixture()
        fixture.clocks.set(Clock(offset: 900), of: "main")
        let token = try await fixture.signInVerified().accessToken
        let issued = Token(decoding: token).issuedAt
        let now = Int64(fixture.frozen.now.timeIntervalSince1970)
        #expect(issued == now + 900)
    }

    @Test func `a mailed link expires by the workspace's clock`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        fixture.clocks.set(Clock(offset: 86_401), of: "main")
        #expect(await fixture.follow(link).status != 200)
    }

    @Test func `a mail rate limit ends when the clock passes it`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let body: JSON = ["email": .string(BackendFixture.email)]
        for _ in 0..<10 { _ = await fixture.post("/auth/resend-verification", body) }
        let countBefore = await fixture.mailCount()
        fixture.clocks.set(Clock(offset: 86_400), of: "main")
        _ = await fixture.post("/auth/resend-verification", body)
        #expect(await fixture.mailCount() == countBefore + 1)
    }

    @Test func `a clock set back ignores later mails for the rate limit`() async throws {
        let fixture = try await BackendFixture()
        fixture.clocks.set(Clock(offset: 86_400), of: "main")
        await fixture.register()
        let body: JSON = ["email": .string(BackendFixture.email)]
        for _ in 0..<10 { _ = await fixture.post("/auth/resend-verification", body) }
        fixture.clocks.set(Clock(), of: "main")
        let countBefore = await fixture.mailCount()
        _ = await fixture.post("/auth/resend-verification", body)
        #expect(await fixture.mailCount() == countBefore + 1)
    }
}

extension BackendFixture {
    fileprivate func mailCount() async -> Int {
        (try? await backend.mailbox.count(workspace: "main")) ?? 0
    }
}
