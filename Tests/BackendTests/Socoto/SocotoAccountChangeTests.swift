import Core
import Support
import Testing
import Web

@testable import Backend

/// Changes of the own account that need a confirmation.
@Suite(.timeLimit(.minutes(10))) struct SocotoAccountChangeTests {
    private static let newEmail = "ada@king.example"

    @Test func `an anonymous user becomes permanent by confirming an address`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let anonymous = await client.send(.post, "/auth/v1/signup", .object([]))
        #expect(anonymous.json["user"]?["is_anonymous"] == true)
        let update = await client.send(
            .put, "/auth/v1/user",
            ["email": .string(SocotoClient.email), "password": .string(SocotoClient.password)],
            bearer: anonymous.accessToken)
        #expect(update.json["is_anonymous"] == true)
        let confirmed = await client.verify(
            "email_change", code: try await client.code(to: SocotoClient.email))
        #expect(confirmed.json["user"]?["is_anonymous"] == false)
        #expect(confirmed.json["user"]?["id"] == anonymous.json["user"]?["id"])
        #expect(await client.signIn().status == 200)
    }

    @Test func `an anonymous user becomes permanent by confirming a number`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = await client.send(.post, "/auth/v1/signup", .object([])).accessToken
        await client.send(
            .put, "/auth/v1/user", ["phone": .string(SocotoClient.phone)], bearer: token)
        let code = try await client.code(to: SocotoClient.phone)
        let user = await client.verifyPhone("phone_change", code).json["user"]
        #expect(user?["is_anonymous"] == false)
        #expect(user?["phone"] == "4915112345678")
        #expect(user?["app_metadata"] == ["provider": "phone", "providers": ["phone"]])
    }

    @Test(arguments: [true, false])
    func `a change of address can require both addresses, in either order`(_ newestFirst: Bool)
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("doubleConfirmChanges", isOn: true)
        let token = try await client.createUser().accessToken
        await client.send(
            .put, "/auth/v1/user?redirect_to=socoto://in", ["email": .string(Self.newEmail)],
            bearer: token)
        let addresses = [SocotoClient.email, Self.newEmail]
        let order = newestFirst ? addresses.reversed() : addresses
        let first = await client.verify(
            "email_change", code: try await client.code(to: order[0]), order[0])
        #expect(
            first.json == [
                "code": "200",
                "msg": .string(
                    "Confirmation link accepted. Please proceed to confirm link sent to the "
                        + "other email"),
            ])
        #expect(await client.user(token).json["email"] == .string(SocotoClient.email))
        let second = await client.fixture.follow(try await client.link(to: order[1]))
        #expect(second.headers["Location"]?.hasPrefix("socoto://in#access_token=") == true)
        #expect(await client.user(token).json["email"] == .string(Self.newEmail))
    }

    @Test func `the first of two links reports that another one is needed`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("doubleConfirmChanges", isOn: true)
        let token = try await client.createUser().accessToken
        await client.send(
            .put, "/auth/v1/user?redirect_to=socoto://in", ["email": .string(Self.newEmail)],
            bearer: token)
        let first = await client.fixture.follow(try await client.link(to: Self.newEmail))
        #expect(
            first.headers["Location"]
                == "socoto://in#message=Confirmation+link+accepted.+Please+proceed+to+confirm+"
                + "link+sent+to+the+other+email&sb=")
    }

    @Test func `a password can require a code once the session is older than a day`()
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("securePasswordChange", isOn: true)
        let session = try await client.createUser()
        client.fixture.frozen.advance(by: 86_401)
        let token = await client.refresh(session.refreshToken).accessToken
        func change(_ nonce: String?) async -> Reply {
            await client.send(
                .put, "/auth/v1/user", ["password": "a better horse", "nonce": JSON(nonce)],
                bearer: token)
        }
        #expect(await change(nil).json["code"] == "reauthentication_needed")
        await client.send(.get, "/auth/v1/reauthenticate", bearer: token)
        let code = try await client.code(to: SocotoClient.email)
        #expect(await change("000000").json["code"] == "reauthentication_not_valid")
        #expect(await change(code).status == 200)
        #expect(await client.signIn(SocotoClient.email, "a better horse").status == 200)
    }

    @Test func `a password can require the current one`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("requireCurrentPassword", isOn: true)
        // A session that began with a code may be that of a user who forgot the password.
        let coded = try await client.createUser().accessToken
        let update = await client.send(
            .put, "/auth/v1/user", ["password": "another horse"], bearer: coded)
        #expect(update.status == 200)
        let token = await client.signIn(SocotoClient.email, "another horse").accessToken
        func change(_ current: String?) async -> Reply {
            await client.send(
                .put, "/auth/v1/user",
                ["password": "a better horse", "current_password": JSON(current)], bearer: token)
        }
        #expect(await change(nil).json["code"] == "current_password_required")
        #expect(await change("a worse horse").json["code"] == "current_password_invalid")
        #expect(await change("another horse").status == 200)
    }

    @Test func `a softly deleted user keeps the id, and its address is free again`()
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        let id = try await client.addUser()
        let token = await client.signIn().accessToken
        await client.administrate(.delete, "/admin/users/\(id)", ["should_soft_delete": true])
        let user = await client.administrate(.get, "/admin/users/\(id)").json
        #expect(user["deleted_at"]?.string != nil)
        #expect(user["email"] != .string(SocotoClient.email))
        #expect(await client.user(token).json["code"] == "session_not_found")
        #expect(try await client.addUser() != id)
    }

    @Test func `a user with an imported bcrypt hash can sign in`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        // Of "correct horse".
        let hash = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"
        await client.administrate(
            .post, "/admin/users",
            [
                "email": .string(SocotoClient.email), "password_hash": .string(hash),
                "email_confirm": true,
            ])
        #expect(await client.signIn().status == 200)
    }
}
