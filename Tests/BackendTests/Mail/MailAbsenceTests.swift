import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MailAbsenceTests {
    @Test func `nothing was asked for`() async throws {
        let fixture = try await BackendFixture()
        #expect(
            try await why(fixture) == "Nothing in this workspace has asked for a mail yet, so "
                + "there is none to ada@example.com.")
    }

    @Test func `another address was asked for`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register("eve@example.com")
        #expect(
            try await why(fixture) == "Nothing asked for a mail to ada@example.com. What was "
                + "asked for: eve@example.com (verify, sent, 2026-11-21T14:35:00.000Z).")
    }

    @Test func `nobody has that address`() async throws {
        let fixture = try await BackendFixture()
        await resend(fixture)
        #expect(try await why(fixture).contains("no account has that address"))
    }

    @Test func `the address is verified already`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.verified()
        await resend(fixture)
        #expect(try await why(fixture, since: fixture.frozen.now).contains("verified already"))
    }

    @Test func `the sixth mail in ten minutes is held back, and until when`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        for _ in 0..<4 {
            fixture.frozen.advance(by: 1)
            await resend(fixture)
        }
        let box = fixture.backend.mailbox
        #expect(try await box.list(workspace: "main").total == 5)
        fixture.frozen.advance(by: 1)
        let since = fixture.frozen.now
        await resend(fixture)
        #expect(try await box.list(workspace: "main").total == 5)
        #expect(
            try await why(fixture, since: since)
                == "A mail (verify) to ada@example.com was asked for at "
                + "2026-11-21T14:35:05.000Z, but the rate limit holds until "
                + "2026-11-21T14:45:00.000Z.")
        fixture.frozen.advance(by: 594)
        await resend(fixture)
        #expect(try await box.list(workspace: "main").total == 5)
        fixture.frozen.advance(by: 1)
        await resend(fixture)
        #expect(try await box.list(workspace: "main").total == 6)
        // Another address was never concerned.
        await fixture.register("eve@example.com")
        #expect(try await box.list(workspace: "main").total == 7)
    }

    @Test func `a held-back mail leaves the last link working`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        for _ in 0..<4 { await resend(fixture) }
        let link = try await fixture.link(to: BackendFixture.email)
        await resend(fixture)
        #expect(await fixture.follow(link).heading == "Email verified")
    }

    @Test func `the one there is came too early`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        fixture.frozen.advance(by: 60)
        #expect(
            try await why(fixture, since: fixture.frozen.now).contains("before the time asked for"))
    }

    @Test func `the mailbox was emptied`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        _ = try await fixture.backend.mailbox.clear(workspace: "main")
        #expect(try await why(fixture).contains("emptied"))
    }

    @Test func `another app asked for it`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        #expect(
            try await fixture.backend.mailbox.explainMissingMail(
                workspace: "main", to: BackendFixture.email, app: "bob", purpose: nil, since: nil)
                == "Nothing asked for a mail to ada@example.com of the app "
                + "bob. What was asked for: ada@example.com (verify, sent, "
                + "2026-11-21T14:35:00.000Z).")
    }

    private func resend(_ fixture: BackendFixture) async {
        _ = await fixture.post(
            "/auth/resend-verification", ["email": .string(BackendFixture.email)])
    }

    private func why(_ fixture: BackendFixture, since: Date? = nil) async throws -> String {
        try await fixture.backend.mailbox.explainMissingMail(
            workspace: "main", to: BackendFixture.email, purpose: nil, since: since)
    }
}
