import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobSessionTests {
    @Test func `of parallel refreshes one rotates and all go on`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        let token = await house.nestLogin().camelRefresh
        let replies = await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<10 { group.addTask { await house.nestRefresh(token) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.status == 200 })
        let next = replies.filter { $0.json["refreshToken"] != nil }
        #expect(next.count == 1)
        house.frozen.advance(by: 60)
        let token2 = try #require(next.first).camelRefresh
        #expect(await house.nestRefresh(token2).status == 200)
    }

    @Test func `a stolen token ends every session of the account`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        let phone = await house.nestLogin()
        let tablet = await house.nestLogin()
        let next = await house.nestRefresh(phone.camelRefresh)
        house.frozen.advance(by: 120)
        let reused = await house.nestRefresh(phone.camelRefresh)
        #expect(reused.status == 403)
        for token in [next.camelRefresh, tablet.camelRefresh] {
            let reply = await house.nestRefresh(token)
            #expect(reply.status == 401)
            #expect(reply.json["message"] == "Refresh token has been revoked")
        }
        let known = try await house.backend.session(
            of: tablet.camelRefresh, contract: "bob", workspace: "main")
        #expect(known?.revokedBecause == "refresh token reused")
    }

    @Test func `in the document's dialect a theft ends that session alone`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        let phone = await house.bobSignedIn()
        let tablet = await house.bobSignedIn()
        _ = await house.bobRefresh(phone.refresh)
        house.frozen.advance(by: 120)
        #expect(await house.bobRefresh(phone.refresh).status == 401)
        #expect(await house.bobRefresh(tablet.refresh).status == 200)
    }

    @Test func `a refresh whose answer was lost can be asked for again`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        let token = await house.bobSignedIn().refresh
        _ = await house.bobRefresh(token)
        house.frozen.advance(by: 119)
        let again = await house.bobRefresh(token)
        #expect(again.status == 200)
        let next = again.json["refresh_token"]?.string ?? ""
        #expect(await house.bobRefresh(next).status == 200)
    }

    @Test func `each rotation begins seven days anew`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        var token = await house.nestLogin().camelRefresh
        for _ in 0..<3 {
            house.frozen.advance(by: 604_799)
            let reply = await house.nestRefresh(token)
            #expect(reply.status == 200)
            token = reply.camelRefresh
        }
    }

    @Test func `an account of one dialect is one of the other`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        #expect(await house.nestLogin().status == 200)
        let token = await house.bobSignedIn().refresh
        #expect(token.utf8.count == 64)
        #expect(await house.nestRefresh(token).status == 200)
    }

    @Test func `a token is bound to the dialect that gave it out`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        let phone = await house.nestLogin()
        let tablet = await house.nestLogin()
        let next = await house.nestRefresh(phone.camelRefresh)
        // Used before: the document's door gives no other one either.
        let again = await house.bobRefresh(phone.camelRefresh)
        #expect(again.status == 200)
        #expect(again.json["access_token"] != nil)
        #expect(again.json["refresh_token"] == nil)
        // And there, too, a theft ends every session of the account.
        house.frozen.advance(by: 120)
        #expect(await house.bobRefresh(phone.camelRefresh).status == 401)
        for token in [next.camelRefresh, tablet.camelRefresh] {
            #expect(
                await house.nestRefresh(token).json["message"] == "Refresh token has been revoked")
        }
    }

    @Test func `the document's token stays generous at the other door`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        let phone = await house.bobSignedIn()
        let tablet = await house.bobSignedIn()
        _ = await house.nestRefresh(phone.refresh)
        #expect(await house.nestRefresh(phone.refresh).camelRefresh != "")
        house.frozen.advance(by: 120)
        #expect(await house.nestRefresh(phone.refresh).status == 403)
        #expect(await house.bobRefresh(tablet.refresh).status == 200)
    }

    @Test func `logout here ends refreshing everywhere`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        let phone = await house.nestLogin()
        let tablet = await house.bobSignedIn()
        _ = await house.send(.post(BackendHouse.nest + "/logout", bearer: phone.camelAccess))
        #expect(await house.bobRefresh(tablet.refresh).status == 401)
    }

    @Test func `an access token opens the door it came from alone`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        await house.bob()
        let own = await house.bobSignedIn()
        let nest = await house.nestLogin()
        func ask(_ method: Method, _ target: String, _ token: String) async -> Int {
            await house.send(
                Request(
                    method: method, target: target, headers: ["Authorization": "Bearer \(token)"])
            ).status
        }
        let me = BackendHouse.nest + "/me"
        let out = BackendHouse.bob + "/logout"
        let nestOut = BackendHouse.nest + "/logout"
        let otherOut = "/other/bob/api/auth/logout"
        #expect(await ask(.get, me, own.access) == 401)
        #expect(await ask(.post, nestOut, own.access) == 401)
        #expect(await ask(.post, out, nest.camelAccess) == 401)
        #expect(await ask(.post, otherOut, own.access) == 401)
        // Nothing of it ended a session.
        #expect(await ask(.get, me, nest.camelAccess) == 200)
        #expect(await house.bobRefresh(own.refresh).status == 200)
        // Signed out, the document's token is worth nothing at its own.
        #expect(await ask(.post, out, own.access) == 200)
        #expect(await ask(.post, out, own.access) == 401)
    }

    @Test func `of parallel registrations of one address one wins`() async throws {
        let house = try await BackendHouse()
        let body = """
            {"email":"john@example.com","password":"Hammer-and-nail-1",\
            "firstName":"John","lastName":"Doe"}
            """
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await house.send(.post(BackendHouse.nest + "/register", body)).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 9)
    }

    @Test func `sessions outlive the process`() async throws {
        let folder = try Folder()
        let house = try await BackendHouse(path: folder.database)
        await house.bob()
        let reply = await house.nestLogin()
        await house.database.close()

        let later = try await BackendHouse(path: folder.database, frozen: house.frozen)
        #expect(await later.nestRefresh(reply.camelRefresh).status == 200)
        let out = await later.send(.post(BackendHouse.nest + "/logout", bearer: reply.camelAccess))
        #expect(out.status == 200)
        await later.database.close()
    }
}
