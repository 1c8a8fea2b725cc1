import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallAdministrationTests {
    private func passwordLogin(
        _ fixture: BackendFixture, _ password: String = BackendFixture.password
    )
        async -> Reply
    {
        await fixture.send(
            .post(
                BackendFixture.campus + "/login/password",
                """
                {"email":"\(BackendFixture.email)","password":"\(password)"}
                """))
    }

    @Test func `somebody added signs in by code, and by password if given`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.add("wall")
        #expect(await passwordLogin(fixture).status == 200)
        await fixture.wall("/request-code", BackendFixture.email)
        let code = try await fixture.code(BackendFixture.email)
        #expect(await fixture.wallLogin(code, BackendFixture.email).status == 200)
    }

    @Test func `without a password asked for, none is made up`() async throws {
        let fixture = try await BackendFixture()
        let added = try await fixture.backend.addAccount(
            contract: "wall", workspace: "main", draft: AccountDraft())
        #expect(added.password == nil)
        #expect(!added.account.hasPassword)
    }

    @Test func `somebody unverified is refused until verified`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("wall", .unverified)
        #expect(await passwordLogin(fixture).status == 400)
        try await fixture.change(ada) { $0.isVerified = true }
        #expect(await passwordLogin(fixture).status == 200)
    }

    @Test func `it can neither lock nor disable, and says so`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("wall")
        let locked = await refusal {
            try await fixture.change(ada) { $0.lock = .locked(seconds: 9) }
        }
        #expect(locked?.code == "not-in-contract")
        #expect(locked?.pointer == "/locked")
        let disabled = await refusal { try await fixture.change(ada) { $0.isDisabled = true } }
        #expect(disabled?.pointer == "/disabled")
        let seeded = await refusal {
            _ = try await fixture.backend.addAccount(
                contract: "wall", workspace: "main", draft: AccountDraft(state: .locked))
        }
        #expect(seeded?.pointer == "/state")
    }

    @Test func `a change that cannot be done leaves all as it is`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("wall")
        _ = await refusal {
            try await fixture.change(ada) {
                $0.isVerified = false
                $0.isDisabled = true
            }
        }
        let known = try await fixture.backend.account(ada.id, workspace: "main")
        #expect(known?.state == .verified)
    }
}
