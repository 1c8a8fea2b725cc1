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
                BackendFixture.micronautPath + "/login/password",
                """
                {"email":"\(BackendFixture.email)","password":"\(password)"}
                """))
    }

    @Test func `an added account signs in by code and by its password`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.addAccount("wall")
        #expect(await passwordLogin(fixture).status == 200)
        await fixture.postWall("/request-code", BackendFixture.email)
        let code = try await fixture.wallCode(BackendFixture.email)
        #expect(await fixture.wallLogin(code, BackendFixture.email).status == 200)
    }

    @Test func `an account added without a password has none`() async throws {
        let fixture = try await BackendFixture()
        let added = try await fixture.backend.addAccount(
            contract: "wall", workspace: "main", draft: AccountDraft())
        #expect(added.password == nil)
        #expect(!added.account.hasPassword)
    }

    @Test func `an unverified account is rejected until verified`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("wall", .unverified)
        #expect(await passwordLogin(fixture).status == 400)
        try await fixture.changeAccount(ada) { $0.isVerified = true }
        #expect(await passwordLogin(fixture).status == 200)
    }

    @Test func `locking and disabling are rejected as unsupported`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("wall")
        let locked = await thrownProblem {
            try await fixture.changeAccount(ada) { $0.lock = .locked(seconds: 9) }
        }
        #expect(locked?.code == "not-in-contract")
        #expect(locked?.pointer == "/locked")
        let disabled = await thrownProblem {
            try await fixture.changeAccount(ada) { $0.isDisabled = true }
        }
        #expect(disabled?.pointer == "/disabled")
        let added = await thrownProblem {
            _ = try await fixture.backend.addAccount(
                contract: "wall", workspace: "main", draft: AccountDraft(state: .locked))
        }
        #expect(added?.pointer == "/state")
    }

    @Test func `a rejected change leaves the account unchanged`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("wall")
        _ = await thrownProblem {
            try await fixture.changeAccount(ada) {
                $0.isVerified = false
                $0.isDisabled = true
            }
        }
        let account = try await fixture.backend.account(ada.id, workspace: "main")
        #expect(account?.state == .verified)
    }
}
