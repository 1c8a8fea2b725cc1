import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoAdministrationTests {
    private func logIn(_ fixture: BackendFixture, _ password: String = BackendFixture.password)
        async
        -> Reply
    {
        await SocotoClient(fixture: fixture).send(
            .post, "/auth/v1/token?grant_type=password",
            ["email": .string(BackendFixture.email), "password": .string(password)])
    }

    private func refresh(_ fixture: BackendFixture, _ token: String) async -> Reply {
        await SocotoClient(fixture: fixture).send(
            .post, "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    private func user(_ fixture: BackendFixture, _ token: String) async -> Reply {
        await SocotoClient(fixture: fixture).send(.get, "/auth/v1/user", bearer: token)
    }

    @Test func `an added account has a name and a profile row`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.addAccount("socoto")
        let signIn = await logIn(fixture)
        #expect(signIn.json["user"]?["user_metadata"]?["full_name"] == "Ada Lovelace")
        let rows = await SocotoClient(fixture: fixture).send(
            .get, "/rest/v1/profiles?select=full_name", bearer: signIn.json["access_token"]?.string)
        #expect(rows.json[0]?["full_name"] == "Ada Lovelace")
    }

    @Test func `an unverified account is unconfirmed, and a confirmation cannot be undone`()
        async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("socoto", .unverified)
        #expect(await logIn(fixture).json["code"] == "email_not_confirmed")
        try await fixture.changeAccount(ada) { $0.isVerified = true }
        #expect(await logIn(fixture).status == 200)
        let rejected = await thrownProblem {
            try await fixture.changeAccount(ada) { $0.isVerified = false }
        }
        #expect(rejected?.pointer == "/verified")
    }

    @Test func `disabling bans an account, and its tokens are valid again once enabled`()
        async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("socoto")
        let signIn = await logIn(fixture)
        let token = signIn.json["refresh_token"]?.string ?? ""
        try await fixture.changeAccount(ada) { $0.isDisabled = true }
        #expect(await logIn(fixture).json["code"] == "user_banned")
        #expect(await refresh(fixture, token).json["code"] == "user_banned")
        let access = signIn.json["access_token"]?.string ?? ""
        #expect(await user(fixture, access).json["code"] == "user_banned")
        try await fixture.changeAccount(ada) { $0.isDisabled = false }
        #expect(await user(fixture, access).status == 200)
        #expect(await refresh(fixture, token).status == 200)
    }

    @Test func `a lock is a temporary ban`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.addAccount("socoto", .locked)
        #expect(await logIn(fixture).json["code"] == "user_banned")
        fixture.frozen.advance(by: 901)
        #expect(await logIn(fixture).status == 200)
    }

    @Test(arguments: [false, true])
    func `a new password and signing out everywhere end the sessions`(byPassword: Bool) async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("socoto")
        let signIn = await logIn(fixture)
        try await fixture.changeAccount(ada) {
            if byPassword { $0.password = "another horse" } else { $0.shouldSignOut = true }
        }
        let access = signIn.json["access_token"]?.string ?? ""
        #expect(await user(fixture, access).json["code"] == "session_not_found")
        let token = signIn.json["refresh_token"]?.string ?? ""
        #expect(await refresh(fixture, token).status == 400)
    }
}
