import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct ClarityAdministrationTests {
    @Test func `somebody added is known to both servers by name`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("clarity")
        #expect(ada.displayName == "Ada Lovelace")
        let signIn = await fixture.back()
        let user = await fixture.lookup(signIn.idToken)
        #expect(user.json["users"]?[0]?["displayName"] == "Ada Lovelace")
        #expect(await fixture.cognitoLogin().status == 200)
    }

    @Test func `a lock is what wrong passwords bring, on both doors`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("clarity")
        let refresh = await fixture.back().googleRefreshToken
        try await fixture.change(ada) { $0.lock = .locked(seconds: 900) }
        let refused = await fixture.back()
        #expect(refused.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
        #expect(await fixture.cognitoLogin().status == 429)
        #expect(await fixture.secureToken(refresh).status == 200)
        fixture.frozen.advance(by: 901)
        #expect(await fixture.back().status == 200)
    }

    @Test func `unlocking forgets wrong passwords too`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("clarity")
        await fixture.guessTooOften()
        #expect(await fixture.back().status == 400)
        try await fixture.change(ada) { $0.lock = .unlocked }
        #expect(await fixture.back().status == 200)
    }

    @Test func `a disabled user is told so, and goes on when enabled`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("clarity")
        let signIn = await fixture.back()
        try await fixture.change(ada) { $0.isDisabled = true }
        #expect(await fixture.back().message == "USER_DISABLED")
        #expect(await fixture.lookup(signIn.idToken).message == "USER_DISABLED")
        let refused = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(refused.message == "USER_DISABLED")
        try await fixture.change(ada) { $0.isDisabled = false }
        #expect(await fixture.lookup(signIn.idToken).status == 200)
        let again = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(again.status == 200)
    }

    @Test(arguments: [false, true])
    func `a new password and signing out everywhere end older tokens`(byPassword: Bool) async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("clarity")
        let signIn = await fixture.back()
        fixture.frozen.advance(by: 2)
        try await fixture.change(ada) {
            if byPassword {
                $0.password = BackendFixture.newPassword
            } else {
                $0.shouldSignOut = true
            }
        }
        #expect(await fixture.lookup(signIn.idToken).message == "TOKEN_EXPIRED")
        let refused = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(refused.message == "TOKEN_EXPIRED")
    }

    @Test func `a deleted user's tokens speak for nobody`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("clarity")
        let signIn = await fixture.back()
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        #expect(await fixture.lookup(signIn.idToken).message == "USER_NOT_FOUND")
        let refused = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(refused.message == "USER_NOT_FOUND")
    }
}
