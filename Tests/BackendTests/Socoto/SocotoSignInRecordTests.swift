import Core
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoSignInRecordTests {
    @Test func `a refresh whose response was lost can be repeated at any time`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let first = try await client.createUser().refreshToken
        let lost = await client.refresh(first)
        client.fixture.frozen.advance(by: 86_400)
        let again = await client.refresh(first)
        #expect(again.refreshToken == lost.refreshToken)
        #expect(await client.user(again.accessToken).status == 200)
    }

    @Test func `an old refresh token after the reuse interval ends the session`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let session = try await client.createUser()
        let second = await client.refresh(session.refreshToken).refreshToken
        let third = await client.refresh(second)
        client.fixture.frozen.advance(by: 10)
        let reuse = await client.refresh(session.refreshToken)
        #expect(reuse.json["code"] == "refresh_token_already_used")
        let after = await client.refresh(third.refreshToken)
        #expect(after.json["code"] == "refresh_token_not_found")
        let user = await client.user(third.accessToken)
        #expect(user.json["code"] == "session_not_found")
    }

    @Test(arguments: ["global", "local", "others"])
    func `signing out ends the sessions of its scope`(
        _ scope: String
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let other = try await client.createUser().accessToken
        let mine = await client.signIn().accessToken
        await client.send(.post, "/auth/v1/logout?scope=\(scope)", bearer: mine)
        let isMineOver = await client.user(mine).status == 403
        let isOtherOver = await client.user(other).status == 403
        #expect(isMineOver == (scope != "others"))
        #expect(isOtherOver == (scope != "local"))
    }

    @Test func `a new password ends only the other sessions`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let other = try await client.createUser()
        let mine = await client.signIn()
        await client.recover()
        let update = await client.send(
            .put, "/auth/v1/user", ["password": "a better horse"], bearer: mine.accessToken)
        #expect(update.status == 200)
        #expect(await client.user(mine.accessToken).status == 200)
        #expect(await client.user(other.accessToken).status == 403)
        #expect(await client.refresh(other.refreshToken).status == 400)
        #expect(await client.refresh(mine.refreshToken).status == 200)
        #expect(await client.signIn().json["code"] == "invalid_credentials")
        let ada = SocotoClient.email
        #expect(await client.signIn(ada, "a better horse").status == 200)
        // A reset requested before is invalid.
        let code = try await client.mail("reset").code
        #expect(await client.verify("recovery", code: code).status == 403)
    }

    @Test func `a banned user can neither sign in nor refresh`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let session = try await client.createUser()
        try await client.fixture.database.write { connection in
            try connection.run("UPDATE accounts SET disabled_at = 1")
        }
        let user = await client.user(session.accessToken)
        #expect(user.json["code"] == "user_banned")
        #expect(user.status == 403)
        #expect(await client.signIn().json["message"] == "User is banned")
        let refresh = await client.refresh(session.refreshToken)
        #expect(refresh.json["message"] == "Invalid Refresh Token: User Banned")
    }

    @Test func `an access token has integer times, an issuer and a role`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        client.fixture.frozen.advance(by: 0.75)
        let token = try await client.createUser().accessToken
        let part = token.split(separator: ".")[1]
        let text = String(decoding: try #require(Base64URL.decode(part)), as: UTF8.self)
        let claims = try JSON(parsing: text)
        #expect(claims["iss"] == "http://127.0.0.1:7071/auth/v1")
        #expect(claims["iat"] == 1_795_271_700)
        #expect(claims["exp"] == 1_795_275_300)
        #expect(claims["role"] == "authenticated")
        #expect(claims["amr"]?[0]?["method"] == "otp")
        #expect(claims["amr"]?[0]?["timestamp"] == 1_795_271_700)
    }
}
