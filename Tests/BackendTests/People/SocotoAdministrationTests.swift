import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoAdministrationTests {
    private func enter(_ fixture: BackendFixture, _ password: String = BackendFixture.password)
        async
        -> Reply
    {
        await SocotoClient(house: fixture).send(
            .post, "/auth/v1/token?grant_type=password",
            ["email": .string(BackendFixture.email), "password": .string(password)])
    }

    private func refresh(_ fixture: BackendFixture, _ token: String) async -> Reply {
        await SocotoClient(house: fixture).send(
            .post, "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    private func user(_ fixture: BackendFixture, _ token: String) async -> Reply {
        await SocotoClient(house: fixture).send(.get, "/auth/v1/user", bearer: token)
    }

    @Test func `somebody added has a name and a row of their own`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.add("socoto")
        let signIn = await enter(fixture)
        #expect(signIn.json["user"]?["user_metadata"]?["full_name"] == "Ada Lovelace")
        let rows = await SocotoClient(house: fixture).send(
            .get, "/rest/v1/profiles?select=full_name", bearer: signIn.json["access_token"]?.string)
        #expect(rows.json[0]?["full_name"] == "Ada Lovelace")
    }

    @Test func `unverified is not confirmed, and confirmed stays`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("socoto", .unverified)
        #expect(await enter(fixture).json["code"] == "email_not_confirmed")
        try await fixture.change(ada) { $0.isVerified = true }
        #expect(await enter(fixture).status == 200)
        let refused = await refusal { try await fixture.change(ada) { $0.isVerified = false } }
        #expect(refused?.pointer == "/verified")
    }

    @Test func `disabled is banned, and the ban's end brings all back`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("socoto")
        let signIn = await enter(fixture)
        let token = signIn.json["refresh_token"]?.string ?? ""
        try await fixture.change(ada) { $0.isDisabled = true }
        #expect(await enter(fixture).json["code"] == "user_banned")
        #expect(await refresh(fixture, token).json["code"] == "user_banned")
        let access = signIn.json["access_token"]?.string ?? ""
        #expect(await user(fixture, access).json["code"] == "user_banned")
        try await fixture.change(ada) { $0.isDisabled = false }
        #expect(await user(fixture, access).status == 200)
        #expect(await refresh(fixture, token).status == 200)
    }

    @Test func `a lock is a ban with an end`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.add("socoto", .locked)
        #expect(await enter(fixture).json["code"] == "user_banned")
        fixture.frozen.advance(by: 901)
        #expect(await enter(fixture).status == 200)
    }

    @Test(arguments: [false, true])
    func `a new password and signing out everywhere end the sessions`(byPassword: Bool) async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("socoto")
        let signIn = await enter(fixture)
        try await fixture.change(ada) {
            if byPassword { $0.password = "another horse" } else { $0.shouldSignOut = true }
        }
        let access = signIn.json["access_token"]?.string ?? ""
        #expect(await user(fixture, access).json["code"] == "session_not_found")
        let token = signIn.json["refresh_token"]?.string ?? ""
        #expect(await refresh(fixture, token).status == 400)
    }
}
