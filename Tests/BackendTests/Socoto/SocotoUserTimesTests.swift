import Core
import Support
import Testing
import Web

@testable import Backend

/// What a user object and its identities have after each change, and which links and codes end.
@Suite(.timeLimit(.minutes(10))) struct SocotoUserTimesTests {
    private static let newEmail = "ada@king.example"

    /// A client with a user, and the user's token, a minute after the sign-up.
    private func makeClient() async throws -> (SocotoClient, token: String) {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        client.fixture.frozen.advance(by: 60)
        return (client, token)
    }

    @discardableResult private func update(_ client: SocotoClient, _ body: JSON, _ token: String)
        async -> JSON
    { await client.send(.put, "/auth/v1/user", body, bearer: token).json }

    @Test func `a confirmed change of address keeps when it was sent and first confirmed`()
        async throws
    {
        let (client, token) = try await makeClient()
        let before = await client.user(token).json
        await update(client, ["email": .string(Self.newEmail)], token)
        client.fixture.frozen.advance(by: 60)
        _ = await client.verify(
            "email_change", code: try await client.code(to: Self.newEmail), Self.newEmail)
        let user = await client.user(token).json
        #expect(user["email"] == .string(Self.newEmail))
        #expect(user["new_email"] == nil)
        #expect(user["email_change_sent_at"]?.string != nil)
        #expect(user["email_confirmed_at"] == before["email_confirmed_at"])
        let identity = user["identities"]?[0]
        #expect(identity?["email"] == .string(Self.newEmail))
        #expect(identity?["identity_data"]?["email"] == .string(Self.newEmail))
        #expect(identity?["created_at"] == before["identities"]?[0]?["created_at"])
        #expect(identity?["updated_at"] != identity?["created_at"])
    }

    @Test func `a new password clears when messages were sent, and keeps the awaited address`()
        async throws
    {
        let (client, token) = try await makeClient()
        await client.recover()
        await update(client, ["email": .string(Self.newEmail)], token)
        await client.send(.get, "/auth/v1/reauthenticate", bearer: token)
        let user = await update(client, ["password": "a better horse"], token)
        for kind in ["confirmation", "recovery", "email_change", "reauthentication"] {
            #expect(user[kind + "_sent_at"] == nil, "\(kind)")
        }
        #expect(user["new_email"] == .string(Self.newEmail))
    }

    @Test func `an identity keeps the data of its sign-up`() async throws {
        let (client, token) = try await makeClient()
        let user = await update(client, ["data": ["full_name": "Ada King"]], token)
        #expect(user["user_metadata"]?["full_name"] == "Ada King")
        #expect(user["identities"]?[0]?["identity_data"]?["full_name"] == "Ada Lovelace")
    }

    @Test func `an anonymous user's address is a new, verified identity`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let anonymous = await client.send(.post, "/auth/v1/signup", .object([]))
        client.fixture.frozen.advance(by: 60)
        await update(client, ["email": .string(Self.newEmail)], anonymous.accessToken)
        let reply = await client.verify(
            "email_change", code: try await client.code(to: Self.newEmail), Self.newEmail)
        let user = reply.json["user"]
        #expect(user?["user_metadata"]?["email_verified"] == true)
        let identity = user?["identities"]?[0]
        #expect(identity?["created_at"] == user?["email_confirmed_at"])
        #expect(identity?["created_at"] != user?["created_at"])
        #expect(identity?["identity_data"]?["email_verified"] == true)
    }

    @Test func `an identity at a provider precedes a later address`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let page = await client.begin()
        let token = await client.consent(
            to: page, [("name", "Ada"), ("email", "ada@work.example"), ("verified", "yes")]
        ).accessToken
        client.fixture.frozen.advance(by: 60)
        await update(client, ["email": .string(Self.newEmail)], token)
        let reply = await client.verify(
            "email_change", code: try await client.code(to: Self.newEmail), Self.newEmail)
        let user = reply.json["user"]
        #expect(user?["app_metadata"] == ["provider": "google", "providers": ["google", "email"]])
        #expect(user?["identities"]?[1]?["provider"] == "email")
    }

    @Test func `an address confirmed without a mail is not verified in its identity`() async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("confirmEmail", isOn: false)
        let user = await client.signUp().json["user"]
        #expect(user?["user_metadata"]?["email_verified"] == true)
        #expect(user?["identities"]?[0]?["identity_data"]?["email_verified"] == false)
    }

    @Test func `one redeemed link ends every other`() async throws {
        let (client, token) = try await makeClient()
        await client.recover()
        await update(client, ["email": .string(Self.newEmail)], token)
        let change = try await client.link(to: Self.newEmail)
        _ = await client.fixture.follow(try await client.mail("reset").link)
        let reply = await client.fixture.follow(change)
        #expect(reply.headers["Location"]?.contains("otp_expired") == true)
    }

    @Test func `a generated link replaces a mailed one of the same token`() async throws {
        let (client, _) = try await makeClient()
        await client.recover()
        await client.administrate(
            .post, "/admin/generate_link",
            ["type": "magiclink", "email": .string(SocotoClient.email)])
        let reply = await client.fixture.follow(try await client.mail("reset").link)
        #expect(reply.headers["Location"]?.contains("otp_expired") == true)
    }

    @Test func `a password that became too short is reported at sign-in`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("confirmEmail", isOn: false)
        try await client.setSwitch("sixCharacterPasswords", isOn: true)
        await client.send(
            .post, "/auth/v1/signup",
            ["email": .string(SocotoClient.email), "password": "123456"])
        #expect(await client.signIn(SocotoClient.email, "123456").json["weak_password"] == nil)
        try await client.setSwitch("sixCharacterPasswords", isOn: false)
        #expect(
            await client.signIn(SocotoClient.email, "123456").json["weak_password"] == [
                "message": "Password should be at least 8 characters.", "reasons": ["length"],
            ])
    }

    @Test func `a ban is reported before a wrong password or code, and after a missing session`()
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        let id = try await client.addUser()
        let token = await client.signIn().accessToken
        let ended = await client.signIn().accessToken
        await client.send(.post, "/auth/v1/logout?scope=local", bearer: ended)
        await client.administrate(.put, "/admin/users/\(id)", ["ban_duration": "24h"])
        #expect(await client.signIn(SocotoClient.email, "wrong").json["code"] == "user_banned")
        #expect(await client.verify("recovery", code: "000000").json["code"] == "user_banned")
        #expect(await client.user(token).json["code"] == "user_banned")
        #expect(await client.user(ended).json["code"] == "session_not_found")
    }
}
