import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Sessions that the project's settings end, and many requests at once.
@Suite(.timeLimit(.minutes(10))) struct SocotoSessionLimitTests {
    @Test(
        arguments: [
            ("sessionTimebox", 86_401.0, "Invalid Refresh Token: Session Expired"),
            ("sessionInactivity", 3_601, "Invalid Refresh Token: Session Expired (Inactivity)"),
        ])
    func `a session can end after a time`(_ name: String, _ delay: Double, _ message: String)
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().refreshToken
        client.fixture.frozen.advance(by: delay)
        try await client.setSwitch(name, isOn: true)
        let refused = await client.refresh(token)
        #expect(refused.status == 400)
        #expect(refused.json == ["code": "session_expired", "message": .string(message)])
        try await client.setSwitch(name, isOn: false)
        #expect(await client.refresh(token).status == 200)
    }

    @Test func `only the newest session can be refreshed if a user may have one`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let older = try await client.createUser().refreshToken
        client.fixture.frozen.advance(by: 1)
        let newer = await client.signIn().refreshToken
        try await client.setSwitch("singleSession", isOn: true)
        #expect(await client.refresh(older).json["code"] == "session_expired")
        #expect(await client.refresh(newer).status == 200)
    }

    @Test func `a ban refuses a refresh without using up the token`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let id = try await client.addUser()
        let token = await client.signIn().refreshToken
        await client.administrate(.put, "/admin/users/\(id)", ["ban_duration": "24h"])
        #expect(await client.refresh(token).json["code"] == "user_banned")
        await client.administrate(.put, "/admin/users/\(id)", ["ban_duration": "none"])
        client.fixture.frozen.advance(by: 60)
        #expect(await client.refresh(token).status == 200)
    }

    @Test func `50 concurrent refreshes of one token leave one active`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().refreshToken
        let replies = await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<50 { group.addTask { await client.refresh(token) } }
            return await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.status == 200 })
        let next = Set(replies.map(\.refreshToken))
        #expect(next.count == 1)
        #expect(!next.contains(token))
        let activeCount = try await client.fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM refresh_tokens WHERE used_at IS NULL")
        }
        #expect(activeCount == 1)
        #expect(await client.refresh(next.first ?? "").status == 200)
    }

    @Test func `100 concurrent guesses of a code do not pass its limit`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.send(.post, "/auth/v1/otp", ["phone": .string(SocotoClient.phone)])
        let code = try await client.code(to: SocotoClient.phone)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    var request = client.request(
                        .post, "/auth/v1/verify",
                        #"{"type":"sms","phone":"\#(SocotoClient.phone)","token":"x\#(number)"}"#)
                    request.peer = "10.0.0.\(number)"
                    _ = await client.fixture.send(request)
                }
            }
        }
        let attempts = try await client.fixture.database.read { connection in
            try connection.integer("SELECT max(attempts) FROM challenges")
        }
        #expect(attempts == 10)
        #expect(await client.verifyPhone("sms", code).status == 429)
        client.fixture.frozen.advance(by: 300)
        #expect(await client.verifyPhone("sms", code).json["code"] == "otp_expired")
    }

    @Test(arguments: [("otp", "over_request_rate_limit"), ("signup", "over_request_rate_limit")])
    func `requests are limited if the project says so`(_ path: String, _ code: String)
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        for _ in 0..<31 {
            #expect(await client.send(.post, "/auth/v1/\(path)", .object([])).status != 429)
        }
        try await client.setSwitch("requestLimits", isOn: true)
        for _ in 0..<30 {
            #expect(await client.send(.post, "/auth/v1/\(path)", .object([])).status != 429)
        }
        let refused = await client.send(.post, "/auth/v1/\(path)", .object([]))
        #expect(refused.status == 429)
        #expect(refused.json["code"] == .string(code))
    }

    @Test func `a project's mails are limited if it says so`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        try await client.setSwitch("requestLimits", isOn: true)
        for number in 0..<30 {
            await client.administrate(
                .post, "/invite", ["email": .string("a\(number)@example.com")])
        }
        let refused = await client.administrate(.post, "/invite", ["email": "eve@example.com"])
        #expect(
            refused.json == [
                "code": "over_email_send_rate_limit", "message": "email rate limit exceeded",
            ])
    }
}
