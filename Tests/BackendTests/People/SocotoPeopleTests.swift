import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoPeopleTests {
    private func enter(_ house: BackendHouse, _ password: String = BackendHouse.password) async
        -> Reply
    {
        await SocotoClient(house: house).send(
            .post, "/auth/v1/token?grant_type=password",
            ["email": .string(BackendHouse.email), "password": .string(password)])
    }

    private func refresh(_ house: BackendHouse, _ token: String) async -> Reply {
        await SocotoClient(house: house).send(
            .post, "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    private func user(_ house: BackendHouse, _ token: String) async -> Reply {
        await SocotoClient(house: house).send(.get, "/auth/v1/user", bearer: token)
    }

    @Test func `somebody added has a name and a row of their own`() async throws {
        let house = try await BackendHouse()
        try await house.add("socoto")
        let signIn = await enter(house)
        #expect(signIn.json["user"]?["user_metadata"]?["full_name"] == "Ada Lovelace")
        let rows = await SocotoClient(house: house).send(
            .get, "/rest/v1/profiles?select=full_name", bearer: signIn.json["access_token"]?.string)
        #expect(rows.json[0]?["full_name"] == "Ada Lovelace")
    }

    @Test func `unverified is not confirmed, and confirmed stays`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("socoto", .unverified)
        #expect(await enter(house).json["code"] == "email_not_confirmed")
        try await house.change(ada) { $0.verified = true }
        #expect(await enter(house).status == 200)
        let refused = await refusal { try await house.change(ada) { $0.verified = false } }
        #expect(refused?.pointer == "/verified")
    }

    @Test func `disabled is banned, and the ban's end brings all back`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("socoto")
        let signIn = await enter(house)
        let token = signIn.json["refresh_token"]?.string ?? ""
        try await house.change(ada) { $0.disabled = true }
        #expect(await enter(house).json["code"] == "user_banned")
        #expect(await refresh(house, token).json["code"] == "user_banned")
        let access = signIn.json["access_token"]?.string ?? ""
        #expect(await user(house, access).json["code"] == "user_banned")
        try await house.change(ada) { $0.disabled = false }
        #expect(await user(house, access).status == 200)
        #expect(await refresh(house, token).status == 200)
    }

    @Test func `a lock is a ban with an end`() async throws {
        let house = try await BackendHouse()
        try await house.add("socoto", .locked)
        #expect(await enter(house).json["code"] == "user_banned")
        house.frozen.advance(by: 901)
        #expect(await enter(house).status == 200)
    }

    @Test(arguments: [false, true])
    func `a new password and signing out everywhere end the sessions`(byPassword: Bool) async throws
    {
        let house = try await BackendHouse()
        let ada = try await house.add("socoto")
        let signIn = await enter(house)
        try await house.change(ada) {
            if byPassword { $0.password = "another horse" } else { $0.signsOut = true }
        }
        let access = signIn.json["access_token"]?.string ?? ""
        #expect(await user(house, access).json["code"] == "session_not_found")
        let token = signIn.json["refresh_token"]?.string ?? ""
        #expect(await refresh(house, token).status == 400)
    }
}
