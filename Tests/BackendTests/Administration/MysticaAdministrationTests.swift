import Core
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MysticaAdministrationTests {
    @Test func `an account added as verified can sign in`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.addAccount("mystica")
        #expect(await fixture.login().status == 200)
    }

    @Test(arguments: ["mystica", "wall"]) func `a name is rejected if the contract stores none`(
        contract: String
    ) async throws {
        let fixture = try await BackendFixture()
        let rejected = await thrownProblem {
            _ = try await fixture.backend.addAccount(
                contract: contract, workspace: "main",
                draft: AccountDraft(email: "nora@example.com", displayName: "Nora"))
        }
        #expect(rejected?.code == "not-in-contract")
        #expect(rejected?.pointer == "/displayName")
        let accounts = try await fixture.backend.accounts(AccountQuery(workspace: "main")).page
        #expect(accounts.items.isEmpty)
    }

    @Test func `an account added as unverified can sign in once verified`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica", .unverified)
        #expect(ada.state == .unverified)
        #expect(await fixture.login().code == "email_not_verified")
        #expect(try await fixture.changeAccount(ada) { $0.isVerified = true }.state == .verified)
        #expect(await fixture.login().status == 200)
        try await fixture.changeAccount(ada) { $0.isVerified = false }
        #expect(await fixture.login().code == "email_not_verified")
    }

    @Test func `a lock returns Retry-After and ends then`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica", .locked)
        #expect(ada.state == .locked)
        let rejected = await fixture.login()
        #expect(rejected.code == "account_locked")
        #expect(rejected.headers["Retry-After"] == "900")
        fixture.frozen.advance(by: 901)
        #expect(await fixture.login().status == 200)
    }

    @Test func `a disabled account's tokens are valid again once enabled`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica")
        let signIn = await fixture.login()
        try await fixture.changeAccount(ada) { $0.isDisabled = true }
        #expect(await fixture.login().code == "account_disabled")
        #expect(await fixture.me(signIn.accessToken).code == "account_disabled")
        #expect(await fixture.refresh(signIn.refreshToken).code == "account_disabled")
        try await fixture.changeAccount(ada) { $0.isDisabled = false }
        #expect(await fixture.me(signIn.accessToken).status == 200)
        // The rejected refresh did not use the token.
        #expect(await fixture.refresh(signIn.refreshToken).status == 200)
    }

    @Test func `a new password ends every session`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica")
        let signIn = await fixture.login()
        try await fixture.changeAccount(ada) { $0.password = "another horse" }
        #expect(await fixture.me(signIn.accessToken).status == 401)
        #expect(await fixture.refresh(signIn.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
        let newLogin = await fixture.login(BackendFixture.email, "another horse")
        #expect(newLogin.status == 200)
    }

    @Test func `signing out everywhere revokes the tokens of every session`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica")
        let (first, second) = (await fixture.login(), await fixture.login())
        let account = try await fixture.backend.account(ada.id, workspace: "main")
        #expect(account?.activeSessionCount == 2)
        #expect(
            try await fixture.changeAccount(ada) { $0.shouldSignOut = true }.activeSessionCount == 0
        )
        for signIn in [first, second] {
            #expect(await fixture.me(signIn.accessToken).status == 401)
            let rejected = await fixture.refresh(signIn.refreshToken)
            #expect(rejected.status == 401)
            #expect(rejected.text.contains("by an administrator"))
        }
    }

    @Test func `a deleted account's tokens are rejected`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica")
        let signIn = await fixture.login()
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        #expect(await fixture.me(signIn.accessToken).status == 401)
        #expect(await fixture.refresh(signIn.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
    }

    @Test func `a device's account cannot get a password`() async throws {
        let fixture = try await BackendFixture()
        _ = await fixture.registerDevice()
        let page = try await fixture.backend.accounts(AccountQuery(workspace: "main")).page
        let device = try #require(page.items.first)
        #expect(device.email == nil)
        let rejected = await thrownProblem {
            try await fixture.changeAccount(device) { $0.password = "long enough" }
        }
        #expect(rejected?.code == "not-in-contract")
        #expect(rejected?.pointer == "/password")
    }
}
