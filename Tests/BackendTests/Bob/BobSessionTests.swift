import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobSessionTests {
    @Test func `of parallel refreshes one rotates and all go on`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        let token = await fixture.nestLogin().camelRefresh
        let replies = await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<10 { group.addTask { await fixture.nestRefresh(token) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.status == 200 })
        let next = replies.filter { $0.json["refreshToken"] != nil }
        #expect(next.count == 1)
        fixture.frozen.advance(by: 60)
        let token2 = try #require(next.first).camelRefresh
        #expect(await fixture.nestRefresh(token2).status == 200)
    }

    @Test func `a stolen token ends every session of the account`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        let phone = await fixture.nestLogin()
        let tablet = await fixture.nestLogin()
        let next = await fixture.nestRefresh(phone.camelRefresh)
        fixture.frozen.advance(by: 120)
        let reused = await fixture.nestRefresh(phone.camelRefresh)
        #expect(reused.status == 403)
        for token in [next.camelRefresh, tablet.camelRefresh] {
            let reply = await fixture.nestRefresh(token)
            #expect(reply.status == 401)
            #expect(reply.json["message"] == "Refresh token has been revoked")
        }
        let known = try await fixture.backend.session(
            of: tablet.camelRefresh, contract: "bob", workspace: "main")
        #expect(known?.revocationReason == "refresh token reused")
    }

    @Test func `in the document's dialect a theft ends that session alone`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        let phone = await fixture.bobSignedIn()
        let tablet = await fixture.bobSignedIn()
        _ = await fixture.bobRefresh(phone.refresh)
        fixture.frozen.advance(by: 120)
        #expect(await fixture.bobRefresh(phone.refresh).status == 401)
        #expect(await fixture.bobRefresh(tablet.refresh).status == 200)
    }

    @Test func `a refresh whose answer was lost can be asked for again`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        let token = await fixture.bobSignedIn().refresh
        _ = await fixture.bobRefresh(token)
        fixture.frozen.advance(by: 119)
        let again = await fixture.bobRefresh(token)
        #expect(again.status == 200)
        let next = again.json["refresh_token"]?.string ?? ""
        #expect(await fixture.bobRefresh(next).status == 200)
    }

    @Test func `each rotation begins seven days anew`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        var token = await fixture.nestLogin().camelRefresh
        for _ in 0..<3 {
            fixture.frozen.advance(by: 604_799)
            let reply = await fixture.nestRefresh(token)
            #expect(reply.status == 200)
            token = reply.camelRefresh
        }
    }

    @Test func `an account of one dialect is one of the other`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        #expect(await fixture.nestLogin().status == 200)
        let token = await fixture.bobSignedIn().refresh
        #expect(token.utf8.count == 64)
        #expect(await fixture.nestRefresh(token).status == 200)
    }

    @Test func `a token is bound to the dialect that gave it out`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        let phone = await fixture.nestLogin()
        let tablet = await fixture.nestLogin()
        let next = await fixture.nestRefresh(phone.camelRefresh)
        // Used before: the document's door gives no other one either.
        let again = await fixture.bobRefresh(phone.camelRefresh)
        #expect(again.status == 200)
        #expect(again.json["access_token"] != nil)
        #expect(again.json["refresh_token"] == nil)
        // And there, too, a theft ends every session of the account.
        fixture.frozen.advance(by: 120)
        #expect(await fixture.bobRefresh(phone.camelRefresh).status == 401)
        for token in [next.camelRefresh, tablet.camelRefresh] {
            #expect(
                await fixture.nestRefresh(token).json["message"] == "Refresh token has been revoked"
            )
        }
    }

    @Test func `the document's token stays generous at the other door`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        let phone = await fixture.bobSignedIn()
        let tablet = await fixture.bobSignedIn()
        _ = await fixture.nestRefresh(phone.refresh)
        #expect(await fixture.nestRefresh(phone.refresh).camelRefresh != "")
        fixture.frozen.advance(by: 120)
        #expect(await fixture.nestRefresh(phone.refresh).status == 403)
        #expect(await fixture.bobRefresh(tablet.refresh).status == 200)
    }

    @Test func `logout here ends refreshing everywhere`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        let phone = await fixture.nestLogin()
        let tablet = await fixture.bobSignedIn()
        _ = await fixture.send(.post(BackendFixture.nest + "/logout", bearer: phone.camelAccess))
        #expect(await fixture.bobRefresh(tablet.refresh).status == 401)
    }

    @Test func `an access token opens the door it came from alone`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.bob()
        let own = await fixture.bobSignedIn()
        let nest = await fixture.nestLogin()
        func ask(_ method: Method, _ target: String, _ token: String) async -> Int {
            await fixture.send(
                Request(
                    method: method, target: target, headers: ["Authorization": "Bearer \(token)"])
            ).status
        }
        let me = BackendFixture.nest + "/me"
        let out = BackendFixture.bob + "/logout"
        let nestOut = BackendFixture.nest + "/logout"
        let otherOut = "/other/bob/api/auth/logout"
        #expect(await ask(.get, me, own.access) == 401)
        #expect(await ask(.post, nestOut, own.access) == 401)
        #expect(await ask(.post, out, nest.camelAccess) == 401)
        #expect(await ask(.post, otherOut, own.access) == 401)
        // Nothing of it ended a session.
        #expect(await ask(.get, me, nest.camelAccess) == 200)
        #expect(await fixture.bobRefresh(own.refresh).status == 200)
        // Signed out, the document's token is worth nothing at its own.
        #expect(await ask(.post, out, own.access) == 200)
        #expect(await ask(.post, out, own.access) == 401)
    }

    @Test func `of parallel registrations of one address one wins`() async throws {
        let fixture = try await BackendFixture()
        let body = """
            {"email":"john@example.com","password":"Hammer-and-nail-1",\
            "firstName":"John","lastName":"Doe"}
            """
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await fixture.send(.post(BackendFixture.nest + "/register", body)).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 9)
    }

    @Test func `sessions outlive the process`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database)
        await fixture.bob()
        let reply = await fixture.nestLogin()
        await fixture.database.close()

        let later = try await BackendFixture(path: folder.database, frozen: fixture.frozen)
        #expect(await later.nestRefresh(reply.camelRefresh).status == 200)
        let out = await later.send(
            .post(BackendFixture.nest + "/logout", bearer: reply.camelAccess))
        #expect(out.status == 200)
        await later.database.close()
    }
}
