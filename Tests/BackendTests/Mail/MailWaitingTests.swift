import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MailWaitingTests {
    @Test func `a mail that is there already is given at once`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let mail = try await wait(house, to: "ADA@example.com")
        #expect(mail?.to == BackendHouse.email)
        #expect(house.frozen.slept.isEmpty)
        #expect(house.backend.mailbox.waiters.count == 0)
    }

    @Test func `whoever waits is woken by the mail, not by the clock`() async throws {
        let house = try await BackendHouse()
        let waiting = Task { try await wait(house, to: BackendHouse.email) }
        #expect(await eventually { house.frozen.sleeping == 1 })
        await house.register("somebody@else.com")
        await house.register()
        #expect(try await waiting.value?.to == BackendHouse.email)
        // One sleep, as long as the time-out: nothing was polled.
        #expect(house.frozen.slept == [.seconds(10)])
        #expect(await eventually { house.backend.mailbox.waiters.count == 0 })
    }

    @Test func `a mail from before the asked time does not count`() async throws {
        let house = try await BackendHouse()
        await house.register()
        house.frozen.advance(by: 1)
        let since = house.frozen.now
        let waiting = Task { try await wait(house, to: BackendHouse.email, since: since) }
        #expect(await eventually { house.frozen.sleeping == 1 })
        _ = await house.post("/auth/resend-verification", ["email": .string(BackendHouse.email)])
        #expect(try await waiting.value?.sentAt == since)
    }

    @Test func `at the time-out there is none`() async throws {
        let house = try await BackendHouse()
        let waiting = Task { try await wait(house, to: BackendHouse.email) }
        #expect(await eventually { house.frozen.sleeping == 1 })
        house.frozen.advance(by: 10)
        #expect(try await waiting.value == nil)
    }

    @Test func `who no longer waits leaves nothing behind`() async throws {
        let house = try await BackendHouse()
        let waiting = Task { try await wait(house, to: BackendHouse.email) }
        #expect(await eventually { house.frozen.sleeping == 1 })
        waiting.cancel()
        _ = try? await waiting.value
        #expect(await eventually { house.backend.mailbox.waiters.count == 0 })
        #expect(house.frozen.sleeping == 0)
    }

    @Test func `mails of another workspace wake nobody`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        let waiting = Task { try await wait(house, to: BackendHouse.email) }
        #expect(await eventually { house.frozen.sleeping == 1 })
        await house.register(in: "other")
        house.frozen.advance(by: 10)
        #expect(try await waiting.value == nil)
    }

    private func wait(_ house: BackendHouse, to: String, since: Date? = nil) async throws -> Mail? {
        try await house.backend.mailbox.wait(
            workspace: "main", to: to, purpose: nil, since: since, timeout: .seconds(10))
    }
}
