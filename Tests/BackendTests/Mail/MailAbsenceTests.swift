import Core
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

/// Explanations for a missing mail, each for one reason.
@Suite(.timeLimit(.minutes(10))) struct MailAbsenceTests {
    @Test func `no mail was requested`() async throws {
        let fixture = try await BackendFixture()
        #expect(
            try await explanation(fixture)
                == "No messages were requested in this workspace, so "
                + "there is none to ada@example.com.")
    }

    @Test func `a mail to another address was requested`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register("eve@example.com")
        #expect(
            try await explanation(fixture)
                == "No message to ada@example.com was requested. "
                + "Requested: eve@example.com (verify, sent, 2026-11-21T14:35:00.000Z).")
    }

    @Test func `no account has the address`() async throws {
        let fixture = try await BackendFixture()
        await resend(fixture)
        #expect(try await explanation(fixture).contains("no account has that email"))
    }

    @Test func `the address is already verified`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerVerified()
        await resend(fixture)
        #expect(
            try await explanation(fixture, since: fixture.frozen.now).contains("already verified"))
    }

    @Test func `the sixth mail in ten minutes is rate limited until a given time`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        for _ in 0..<4 {
            fixture.frozen.advance(by: 1)
            await resend(fixture)
        }
        let mailbox = fixture.backend.mailbox
        #expect(try await mailbox.list(workspace: "main").total == 5)
        fixture.frozen.advance(by: 1)
        let since = fixture.frozen.now
        await resend(fixture)
        #expect(try await mailbox.list(workspace: "main").total == 5)
        #expect(
            try await explanation(fixture, since: since)
                == "A message (verify) to ada@example.com was requested at "
                + "2026-11-21T14:35:05.000Z, but the rate limit applies until "
                + "2026-11-21T14:45:00.000Z.")
        fixture.frozen.advance(by: 594)
        await resend(fixture)
        #expect(try await mailbox.list(workspace: "main").total == 5)
        fixture.frozen.advance(by: 1)
        await resend(fixture)
        #expect(try await mailbox.list(workspace: "main").total == 6)
        // Another address is not limited.
        await fixture.register("eve@example.com")
        #expect(try await mailbox.list(workspace: "main").total == 7)
    }

    @Test func `a rate-limited mail leaves the last link valid`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        for _ in 0..<4 { await resend(fixture) }
        let link = try await fixture.link(to: BackendFixture.email)
        await resend(fixture)
        #expect(await fixture.follow(link).heading == "Email verified")
    }

    @Test func `the newest mail is older than the requested time`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        fixture.frozen.advance(by: 60)
        #expect(
            try await explanation(fixture, since: fixture.frozen.now).contains(
                "before the requested time"))
    }

    @Test func `the mailbox was cleared`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        _ = try await fixture.backend.mailbox.clear(workspace: "main")
        #expect(try await explanation(fixture).contains("cleared"))
    }

    @Test func `another app requested the mail`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        #expect(
            try await fixture.backend.mailbox.explainMissingMail(
                workspace: "main", to: BackendFixture.email, app: "bob", purpose: nil, since: nil)
                == "No message to ada@example.com for app bob "
                + "was requested. Requested: ada@example.com (verify, sent, "
                + "2026-11-21T14:35:00.000Z).")
    }

    private func resend(_ fixture: BackendFixture) async {
        _ = await fixture.post(
            "/auth/resend-verification", ["email": .string(BackendFixture.email)])
    }

    private func explanation(_ fixture: BackendFixture, since: Date? = nil) async throws -> String {
        try await fixture.backend.mailbox.explainMissingMail(
            workspace: "main", to: BackendFixture.email, purpose: nil, since: since)
    }
}
