import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MailAbsenceTests {
    @Test func `nothing was asked for`() async throws {
        let house = try await BackendHouse()
        #expect(
            try await why(house) == "Nothing in this workspace has asked for a mail yet, so "
                + "there is none to ada@example.com.")
    }

    @Test func `another address was asked for`() async throws {
        let house = try await BackendHouse()
        await house.register("eve@example.com")
        #expect(
            try await why(house) == "Nothing asked for a mail to ada@example.com. What was "
                + "asked for: eve@example.com (verify, sent, 2026-11-21T14:35:00.000Z).")
    }

    @Test func `nobody has that address`() async throws {
        let house = try await BackendHouse()
        await resend(house)
        #expect(try await why(house).contains("no account has that address"))
    }

    @Test func `the address is verified already`() async throws {
        let house = try await BackendHouse()
        try await house.verified()
        await resend(house)
        #expect(try await why(house, since: house.frozen.now).contains("verified already"))
    }

    @Test func `the sixth mail in ten minutes is held back, and until when`() async throws {
        let house = try await BackendHouse()
        await house.register()
        for _ in 0..<4 {
            house.frozen.advance(by: 1)
            await resend(house)
        }
        let box = house.backend.mailbox
        #expect(try await box.list(workspace: "main").total == 5)
        house.frozen.advance(by: 1)
        let since = house.frozen.now
        await resend(house)
        #expect(try await box.list(workspace: "main").total == 5)
        #expect(
            try await why(house, since: since)
                == "A mail (verify) to ada@example.com was asked for at "
                + "2026-11-21T14:35:05.000Z, but the rate limit holds until "
                + "2026-11-21T14:45:00.000Z.")
        house.frozen.advance(by: 594)
        await resend(house)
        #expect(try await box.list(workspace: "main").total == 5)
        house.frozen.advance(by: 1)
        await resend(house)
        #expect(try await box.list(workspace: "main").total == 6)
        // Another address was never concerned.
        await house.register("eve@example.com")
        #expect(try await box.list(workspace: "main").total == 7)
    }

    @Test func `a held-back mail leaves the last link working`() async throws {
        let house = try await BackendHouse()
        await house.register()
        for _ in 0..<4 { await resend(house) }
        let link = try await house.link(to: BackendHouse.email)
        await resend(house)
        #expect(await house.follow(link).heading == "Email verified")
    }

    @Test func `the one there is came too early`() async throws {
        let house = try await BackendHouse()
        await house.register()
        house.frozen.advance(by: 60)
        #expect(try await why(house, since: house.frozen.now).contains("before the time asked for"))
    }

    @Test func `the mailbox was emptied`() async throws {
        let house = try await BackendHouse()
        await house.register()
        _ = try await house.backend.mailbox.forget(workspace: "main")
        #expect(try await why(house).contains("emptied"))
    }

    @Test func `another app asked for it`() async throws {
        let house = try await BackendHouse()
        await house.register()
        #expect(
            try await house.backend.mailbox.explainAbsence(
                workspace: "main", to: BackendHouse.email, app: "bob", purpose: nil, since: nil)
                == "Nothing asked for a mail to ada@example.com of the app "
                + "bob. What was asked for: ada@example.com (verify, sent, "
                + "2026-11-21T14:35:00.000Z).")
    }

    private func resend(_ house: BackendHouse) async {
        _ = await house.post("/auth/resend-verification", ["email": .string(BackendHouse.email)])
    }

    private func why(_ house: BackendHouse, since: Date? = nil) async throws -> String {
        try await house.backend.mailbox.explainAbsence(
            workspace: "main", to: BackendHouse.email, purpose: nil, since: since)
    }
}
