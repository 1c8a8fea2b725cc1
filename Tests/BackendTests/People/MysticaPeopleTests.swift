import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MysticaPeopleTests {
    @Test func `somebody added verified signs in at once`() async throws {
        let house = try await BackendHouse()
        try await house.add("mystica")
        #expect(await house.login().status == 200)
    }

    @Test(arguments: ["mystica", "wall"]) func `a name is refused where the contract keeps none`(
        contract: String
    ) async throws {
        let house = try await BackendHouse()
        let refused = await refusal {
            _ = try await house.backend.addPerson(
                contract: contract, workspace: "main",
                person: Person(email: "nora@example.com", displayName: "Nora"))
        }
        #expect(refused?.code == "not-in-contract")
        #expect(refused?.pointer == "/displayName")
        let all = try await house.backend.accounts(AccountQuery(workspace: "main"))
        #expect(all.items.isEmpty)
    }

    @Test func `somebody added unverified signs in once verified`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica", .unverified)
        #expect(ada.state == .unverified)
        #expect(await house.login().code == "email_not_verified")
        #expect(try await house.change(ada) { $0.verified = true }.state == .verified)
        #expect(await house.login().status == 200)
        try await house.change(ada) { $0.verified = false }
        #expect(await house.login().code == "email_not_verified")
    }

    @Test func `a lock says when it ends, and ends`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica", .locked)
        #expect(ada.state == .locked)
        let refused = await house.login()
        #expect(refused.code == "account_locked")
        #expect(refused.headers["Retry-After"] == "900")
        house.frozen.advance(by: 901)
        #expect(await house.login().status == 200)
    }

    @Test func `a disabled account's tokens go on when it is enabled`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica")
        let signIn = await house.login()
        try await house.change(ada) { $0.disabled = true }
        #expect(await house.login().code == "account_disabled")
        #expect(await house.me(signIn.accessToken).code == "account_disabled")
        #expect(await house.refresh(signIn.refreshToken).code == "account_disabled")
        try await house.change(ada) { $0.disabled = false }
        #expect(await house.me(signIn.accessToken).status == 200)
        // The refusal did not use it up.
        #expect(await house.refresh(signIn.refreshToken).status == 200)
    }

    @Test func `a new password ends every session`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica")
        let signIn = await house.login()
        try await house.change(ada) { $0.password = "another horse" }
        #expect(await house.me(signIn.accessToken).status == 401)
        #expect(await house.refresh(signIn.refreshToken).status == 401)
        #expect(await house.login().code == "INVALID_CREDENTIALS")
        let again = await house.login(BackendHouse.email, "another horse")
        #expect(again.status == 200)
    }

    @Test func `signed out everywhere, no token of any session is taken`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica")
        let (one, two) = (await house.login(), await house.login())
        let known = try await house.backend.account(ada.id, workspace: "main")
        #expect(known?.sessions == 2)
        #expect(try await house.change(ada) { $0.signsOut = true }.sessions == 0)
        for signIn in [one, two] {
            #expect(await house.me(signIn.accessToken).status == 401)
            let refused = await house.refresh(signIn.refreshToken)
            #expect(refused.status == 401)
            #expect(refused.text.contains("by an administrator"))
        }
    }

    @Test func `a deleted account's tokens die with it`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica")
        let signIn = await house.login()
        try await house.backend.delete(account: ada.id, workspace: "main")
        #expect(await house.me(signIn.accessToken).status == 401)
        #expect(await house.refresh(signIn.refreshToken).status == 401)
        #expect(await house.login().code == "INVALID_CREDENTIALS")
    }

    @Test func `a device's account has no password to set`() async throws {
        let house = try await BackendHouse()
        _ = await house.registerDevice()
        let page = try await house.backend.accounts(AccountQuery(workspace: "main"))
        let device = try #require(page.items.first)
        #expect(device.email == nil)
        let refused = await refusal {
            try await house.change(device) { $0.password = "long enough" }
        }
        #expect(refused?.code == "not-in-contract")
        #expect(refused?.pointer == "/password")
    }
}
