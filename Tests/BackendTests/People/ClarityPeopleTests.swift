import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct ClarityPeopleTests {
    @Test func `somebody added is known to both servers by name`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("clarity")
        #expect(ada.displayName == "Ada Lovelace")
        let signIn = await house.back()
        let user = await house.lookup(signIn.idToken)
        #expect(user.json["users"]?[0]?["displayName"] == "Ada Lovelace")
        #expect(await house.cognitoLogin().status == 200)
    }

    @Test func `a lock is what wrong passwords bring, on both doors`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("clarity")
        let refresh = await house.back().googleRefreshToken
        try await house.change(ada) { $0.lock = .locked(seconds: 900) }
        let refused = await house.back()
        #expect(refused.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
        #expect(await house.cognitoLogin().status == 429)
        #expect(await house.secureToken(refresh).status == 200)
        house.frozen.advance(by: 901)
        #expect(await house.back().status == 200)
    }

    @Test func `unlocking forgets wrong passwords too`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("clarity")
        await house.guessTooOften()
        #expect(await house.back().status == 400)
        try await house.change(ada) { $0.lock = .open }
        #expect(await house.back().status == 200)
    }

    @Test func `a disabled user is told so, and goes on when enabled`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("clarity")
        let signIn = await house.back()
        try await house.change(ada) { $0.disabled = true }
        #expect(await house.back().message == "USER_DISABLED")
        #expect(await house.lookup(signIn.idToken).message == "USER_DISABLED")
        let refused = await house.secureToken(signIn.googleRefreshToken)
        #expect(refused.message == "USER_DISABLED")
        try await house.change(ada) { $0.disabled = false }
        #expect(await house.lookup(signIn.idToken).status == 200)
        let again = await house.secureToken(signIn.googleRefreshToken)
        #expect(again.status == 200)
    }

    @Test(arguments: [false, true])
    func `a new password and signing out everywhere end older tokens`(byPassword: Bool) async throws
    {
        let house = try await BackendHouse()
        let ada = try await house.add("clarity")
        let signIn = await house.back()
        house.frozen.advance(by: 2)
        try await house.change(ada) {
            if byPassword { $0.password = BackendHouse.newPassword } else { $0.signsOut = true }
        }
        #expect(await house.lookup(signIn.idToken).message == "TOKEN_EXPIRED")
        let refused = await house.secureToken(signIn.googleRefreshToken)
        #expect(refused.message == "TOKEN_EXPIRED")
    }

    @Test func `a deleted user's tokens speak for nobody`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("clarity")
        let signIn = await house.back()
        try await house.backend.delete(account: ada.id, workspace: "main")
        #expect(await house.lookup(signIn.idToken).message == "USER_NOT_FOUND")
        let refused = await house.secureToken(signIn.googleRefreshToken)
        #expect(refused.message == "USER_NOT_FOUND")
    }
}
