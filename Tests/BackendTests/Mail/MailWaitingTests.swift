import Core
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MailWaitingTests {
    @Test func `an existing mail is returned immediately`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let mail = try await wait(fixture, to: "ADA@example.com")
        #expect(mail?.to == BackendFixture.email)
        #expect(fixture.frozen.slept.isEmpty)
        #expect(fixture.backend.mailbox.waiters.count == 0)
    }

    @Test func `a wait ends with the mail, without polling`() async throws {
        let fixture = try await BackendFixture()
        let waiting = Task { try await wait(fixture, to: BackendFixture.email) }
        #expect(await eventually { fixture.frozen.sleeping == 1 })
        await fixture.register("somebody@else.com")
        await fixture.register()
        #expect(try await waiting.value?.to == BackendFixture.email)
        // One sleep, as long as the timeout: no polling.
        #expect(fixture.frozen.slept == [.seconds(10)])
        #expect(await eventually { fixture.backend.mailbox.waiters.count == 0 })
    }

    @Test func `a mail older than the requested time is ignored`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        fixture.frozen.advance(by: 1)
        let since = fixture.frozen.now
        let waiting = Task { try await wait(fixture, to: BackendFixture.email, since: since) }
        #expect(await eventually { fixture.frozen.sleeping == 1 })
        _ = await fixture.post(
            "/auth/resend-verification", ["email": .string(BackendFixture.email)])
        #expect(try await waiting.value?.sentAt == since)
    }

    @Test func `a wait returns no mail at the timeout`() async throws {
        let fixture = try await BackendFixture()
        let waiting = Task { try await wait(fixture, to: BackendFixture.email) }
        #expect(await eventually { fixture.frozen.sleeping == 1 })
        fixture.frozen.advance(by: 10)
        #expect(try await waiting.value == nil)
    }

    @Test func `a canceled wait is removed`() async throws {
        let fixture = try await BackendFixture()
        let waiting = Task { try await wait(fixture, to: BackendFixture.email) }
        #expect(await eventually { fixture.frozen.sleeping == 1 })
        waiting.cancel()
        _ = try? await waiting.value
        #expect(await eventually { fixture.backend.mailbox.waiters.count == 0 })
        #expect(fixture.frozen.sleeping == 0)
    }

    @Test func `a mail of another workspace does not end a wait`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let waiting = Task { try await wait(fixture, to: BackendFixture.email) }
        #expect(await eventually { fixture.frozen.sleeping == 1 })
        await fixture.register(in: "other")
        fixture.frozen.advance(by: 10)
        #expect(try await waiting.value == nil)
    }

    private func wait(_ fixture: BackendFixture, to: String, since: Date? = nil) async throws
        -> Mail?
    {
        try await fixture.backend.mailbox.waitForMail(
            workspace: "main", to: to, purpose: nil, since: since, timeout: .seconds(10))
    }
}
