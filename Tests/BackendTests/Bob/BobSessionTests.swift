import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobSessionTests {
    @Test func `all parallel refreshes succeed and one of them rotates`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        let token = await fixture.nestLogin().camelCaseRefreshToken
        let replies = await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<10 { group.addTask { await fixture.nestRefresh(token) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.status == 200 })
        let next = replies.filter { $0.json["refreshToken"] != nil }
        #expect(next.count == 1)
        fixture.frozen.advance(by: 60)
        let token2 = try #require(next.first).camelCaseRefreshToken
        #expect(await fixture.nestRefresh(token2).status == 200)
    }

    @Test func `reuse of a refresh token ends every session of the account`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        let phone = await fixture.nestLogin()
        let tablet = await fixture.nestLogin()
        let next = await fixture.nestRefresh(phone.camelCaseRefreshToken)
        fixture.frozen.advance(by: 120)
        let reused = await fixture.nestRefresh(phone.camelCaseRefreshToken)
        #expect(reused.status == 403)
        for token in [next.camelCaseRefreshToken, tablet.camelCaseRefreshToken] {
            let reply = await fixture.nestRefresh(token)
            #expect(reply.status == 401)
            #expect(reply.json["message"] == "Refresh token has been revoked")
        }
        let session = try await fixture.backend.session(
            of: tablet.camelCaseRefreshToken, contract: "bob", workspace: "main")
        #expect(session?.revocationReason == "refresh token reused")
    }

    @Test func `reuse in the specification's dialect ends only that session`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        let phone = await fixture.bobSignIn()
        let tablet = await fixture.bobSignIn()
        _ = await fixture.bobRefresh(phone.refresh)
        fixture.frozen.advance(by: 120)
        #expect(await fixture.bobRefresh(phone.refresh).status == 401)
        #expect(await fixture.bobRefresh(tablet.refresh).status == 200)
    }

    @Test func `a refresh can be repeated when its response was lost`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        let token = await fixture.bobSignIn().refresh
        _ = await fixture.bobRefresh(token)
        fixture.frozen.advance(by: 119)
        let repeated = await fixture.bobRefresh(token)
        #expect(repeated.status == 200)
        let next = repeated.json["refresh_token"]?.string ?? ""
        #expect(await fixture.bobRefresh(next).status == 200)
    }

    @Test func `each rotation renews the lifetime of seven days`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        var token = await fixture.nestLogin().camelCaseRefreshToken
        for _ in 0..<3 {
            fixture.frozen.advance(by: 604_799)
            let reply = await fixture.nestRefresh(token)
            #expect(reply.status == 200)
            token = reply.camelCaseRefreshToken
        }
    }

    @Test func `an account works in both dialects`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        #expect(await fixture.nestLogin().status == 200)
        let token = await fixture.bobSignIn().refresh
        #expect(token.utf8.count == 64)
        #expect(await fixture.nestRefresh(token).status == 200)
    }

    @Test func `a token keeps the reuse rules of the dialect that issued it`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        let phone = await fixture.nestLogin()
        let tablet = await fixture.nestLogin()
        let next = await fixture.nestRefresh(phone.camelCaseRefreshToken)
        // A tolerated reuse in the specification's dialect issues no new refresh token either.
        let repeated = await fixture.bobRefresh(phone.camelCaseRefreshToken)
        #expect(repeated.status == 200)
        #expect(repeated.json["access_token"] != nil)
        #expect(repeated.json["refresh_token"] == nil)
        // A later reuse there ends every session of the account, too.
        fixture.frozen.advance(by: 120)
        #expect(await fixture.bobRefresh(phone.camelCaseRefreshToken).status == 401)
        for token in [next.camelCaseRefreshToken, tablet.camelCaseRefreshToken] {
            #expect(
                await fixture.nestRefresh(token).json["message"] == "Refresh token has been revoked"
            )
        }
    }

    @Test func `a token of the specification's dialect keeps its reuse rules in the other`()
        async throws
    {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        let phone = await fixture.bobSignIn()
        let tablet = await fixture.bobSignIn()
        _ = await fixture.nestRefresh(phone.refresh)
        #expect(await fixture.nestRefresh(phone.refresh).camelCaseRefreshToken != "")
        fixture.frozen.advance(by: 120)
        #expect(await fixture.nestRefresh(phone.refresh).status == 403)
        #expect(await fixture.bobRefresh(tablet.refresh).status == 200)
    }

    @Test func `logout at the NestJS server ends refreshing in both dialects`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        let phone = await fixture.nestLogin()
        let tablet = await fixture.bobSignIn()
        _ = await fixture.send(
            .post(BackendFixture.nestPath + "/logout", bearer: phone.camelCaseAccessToken))
        #expect(await fixture.bobRefresh(tablet.refresh).status == 401)
    }

    @Test func `an access token is valid only in its dialect and workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.registerBob()
        let bob = await fixture.bobSignIn()
        let nest = await fixture.nestLogin()
        func status(_ method: Method, _ target: String, _ token: String) async -> Int {
            await fixture.send(
                Request(
                    method: method, target: target, headers: ["Authorization": "Bearer \(token)"])
            ).status
        }
        let nestMe = BackendFixture.nestPath + "/me"
        let logout = BackendFixture.bobPath + "/logout"
        let nestLogout = BackendFixture.nestPath + "/logout"
        let otherLogout = "/other/bob/api/auth/logout"
        #expect(await status(.get, nestMe, bob.access) == 401)
        #expect(await status(.post, nestLogout, bob.access) == 401)
        #expect(await status(.post, logout, nest.camelCaseAccessToken) == 401)
        #expect(await status(.post, otherLogout, bob.access) == 401)
        // None of these requests ended a session.
        #expect(await status(.get, nestMe, nest.camelCaseAccessToken) == 200)
        #expect(await fixture.bobRefresh(bob.refresh).status == 200)
        // After a logout the token is invalid in its own dialect, too.
        #expect(await status(.post, logout, bob.access) == 200)
        #expect(await status(.post, logout, bob.access) == 401)
    }

    @Test func `exactly one of parallel registrations of an address succeeds`() async throws {
        let fixture = try await BackendFixture()
        let body = """
            {"email":"john@example.com","password":"Hammer-and-nail-1",\
            "firstName":"John","lastName":"Doe"}
            """
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await fixture.send(.post(BackendFixture.nestPath + "/register", body)).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 9)
    }

    @Test func `sessions persist across a restart`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath)
        await fixture.registerBob()
        let reply = await fixture.nestLogin()
        await fixture.database.close()

        let restarted = try await BackendFixture(path: folder.databasePath, frozen: fixture.frozen)
        #expect(await restarted.nestRefresh(reply.camelCaseRefreshToken).status == 200)
        let logout = await restarted.send(
            .post(BackendFixture.nestPath + "/logout", bearer: reply.camelCaseAccessToken))
        #expect(logout.status == 200)
        await restarted.database.close()
    }
}
