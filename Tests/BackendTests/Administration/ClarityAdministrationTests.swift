import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct ClarityAdministrationTests {
    @Test func `an added account has a name and signs in at both servers`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("clarity")
        #expect(ada.displayName == "Ada Lovelace")
        let signIn = await fixture.signInWithFirebase()
        let user = await fixture.lookup(signIn.idToken)
        #expect(user.json["users"]?[0]?["displayName"] == "Ada Lovelace")
        #expect(await fixture.cognitoLogin().status == 200)
    }

    @Test func `a lock gets the response to too many wrong passwords at both servers`() async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("clarity")
        let refresh = await fixture.signInWithFirebase().googleRefreshToken
        try await fixture.changeAccount(ada) { $0.lock = .locked(seconds: 900) }
        let rejected = await fixture.signInWithFirebase()
        #expect(rejected.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
        #expect(await fixture.cognitoLogin().status == 429)
        #expect(await fixture.secureToken(refresh).status == 200)
        fixture.frozen.advance(by: 901)
        #expect(await fixture.signInWithFirebase().status == 200)
    }

    @Test func `unlocking clears the count of wrong passwords`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("clarity")
        await fixture.guessTooOften()
        #expect(await fixture.signInWithFirebase().status == 400)
        try await fixture.changeAccount(ada) { $0.lock = .unlocked }
        #expect(await fixture.signInWithFirebase().status == 200)
    }

    @Test func `a disabled user is rejected, and the tokens are valid again once enabled`()
        async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("clarity")
        let signIn = await fixture.signInWithFirebase()
        try await fixture.changeAccount(ada) { $0.isDisabled = true }
        #expect(await fixture.signInWithFirebase().message == "USER_DISABLED")
        #expect(await fixture.lookup(signIn.idToken).message == "USER_DISABLED")
        let rejected = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(rejected.message == "USER_DISABLED")
        try await fixture.changeAccount(ada) { $0.isDisabled = false }
        #expect(await fixture.lookup(signIn.idToken).status == 200)
        let refreshed = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(refreshed.status == 200)
    }

    @Test(arguments: [false, true])
    func `a new password and signing out everywhere end older tokens`(byPassword: Bool) async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("clarity")
        let signIn = await fixture.signInWithFirebase()
        fixture.frozen.advance(by: 2)
        try await fixture.changeAccount(ada) {
            if byPassword {
                $0.password = BackendFixture.newPassword
            } else {
                $0.shouldSignOut = true
            }
        }
        #expect(await fixture.lookup(signIn.idToken).message == "TOKEN_EXPIRED")
        let rejected = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(rejected.message == "TOKEN_EXPIRED")
    }

    @Test func `a deleted user's tokens are rejected`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("clarity")
        let signIn = await fixture.signInWithFirebase()
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        #expect(await fixture.lookup(signIn.idToken).message == "USER_NOT_FOUND")
        let rejected = await fixture.secureToken(signIn.googleRefreshToken)
        #expect(rejected.message == "USER_NOT_FOUND")
    }
}
