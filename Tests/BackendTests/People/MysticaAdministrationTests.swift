import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MysticaAdministrationTests {
    @Test func `somebody added verified signs in at once`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.add("mystica")
        #expect(await fixture.login().status == 200)
    }

    @Test(arguments: ["mystica", "wall"]) func `a name is refused where the contract keeps none`(
        contract: String
    ) async throws {
        let fixture = try await BackendFixture()
        let refused = await refusal {
            _ = try await fixture.backend.addAccount(
                contract: contract, workspace: "main",
                draft: AccountDraft(email: "nora@example.com", displayName: "Nora"))
        }
        #expect(refused?.code == "not-in-contract")
        #expect(refused?.pointer == "/displayName")
        let all = try await fixture.backend.accounts(AccountQuery(workspace: "main"))
        #expect(all.items.isEmpty)
    }

    @Test func `somebody added unverified signs in once verified`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica", .unverified)
        #expect(ada.state == .unverified)
        #expect(await fixture.login().code == "email_not_verified")
        #expect(try await fixture.change(ada) { $0.isVerified = true }.state == .verified)
        #expect(await fixture.login().status == 200)
        try await fixture.change(ada) { $0.isVerified = false }
        #expect(await fixture.login().code == "email_not_verified")
    }

    @Test func `a lock says when it ends, and ends`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica", .locked)
        #expect(ada.state == .locked)
        let refused = await fixture.login()
        #expect(refused.code == "account_locked")
        #expect(refused.headers["Retry-After"] == "900")
        fixture.frozen.advance(by: 901)
        #expect(await fixture.login().status == 200)
    }

    @Test func `a disabled account's tokens go on when it is enabled`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica")
        let signIn = await fixture.login()
        try await fixture.change(ada) { $0.isDisabled = true }
        #expect(await fixture.login().code == "account_disabled")
        #expect(await fixture.me(signIn.accessToken).code == "account_disabled")
        #expect(await fixture.refresh(signIn.refreshToken).code == "account_disabled")
        try await fixture.change(ada) { $0.isDisabled = false }
        #expect(await fixture.me(signIn.accessToken).status == 200)
        // The refusal did not use it up.
        #expect(await fixture.refresh(signIn.refreshToken).status == 200)
    }

    @Test func `a new password ends every session`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica")
        let signIn = await fixture.login()
        try await fixture.change(ada) { $0.password = "another horse" }
        #expect(await fixture.me(signIn.accessToken).status == 401)
        #expect(await fixture.refresh(signIn.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
        let again = await fixture.login(BackendFixture.email, "another horse")
        #expect(again.status == 200)
    }

    @Test func `signed out everywhere, no token of any session is taken`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica")
        let (one, two) = (await fixture.login(), await fixture.login())
        let known = try await fixture.backend.account(ada.id, workspace: "main")
        #expect(known?.activeSessionCount == 2)
        #expect(try await fixture.change(ada) { $0.shouldSignOut = true }.activeSessionCount == 0)
        for signIn in [one, two] {
            #expect(await fixture.me(signIn.accessToken).status == 401)
            let refused = await fixture.refresh(signIn.refreshToken)
            #expect(refused.status == 401)
            #expect(refused.text.contains("by an administrator"))
        }
    }

    @Test func `a deleted account's tokens die with it`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica")
        let signIn = await fixture.login()
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        #expect(await fixture.me(signIn.accessToken).status == 401)
        #expect(await fixture.refresh(signIn.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
    }

    @Test func `a device's account has no password to set`() async throws {
        let fixture = try await BackendFixture()
        _ = await fixture.registerDevice()
        let page = try await fixture.backend.accounts(AccountQuery(workspace: "main"))
        let device = try #require(page.items.first)
        #expect(device.email == nil)
        let refused = await refusal {
            try await fixture.change(device) { $0.password = "long enough" }
        }
        #expect(refused?.code == "not-in-contract")
        #expect(refused?.pointer == "/password")
    }
}
