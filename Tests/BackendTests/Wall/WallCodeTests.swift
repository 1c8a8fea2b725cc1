import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallCodeTests {
    @Test func `a code typed by many at once works once`() async throws {
        let house = try await BackendHouse()
        await house.wall("/register")
        let code = try await house.code()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await house.wallLogin(code).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 401 }.count == 19)
    }

    @Test func `so it does at the Micronaut server`() async throws {
        let house = try await BackendHouse()
        await house.campusCode("register")
        let code = try await house.code()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await house.send(
                        .post(
                            BackendHouse.campus + "/register/email", BackendHouse.campusTyped(code))
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 19)
    }

    @Test func `registering at once makes one account`() async throws {
        let house = try await BackendHouse()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { await house.wall("/register").status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200, 200])
        let accounts = try await house.database.read { connection in
            try connection.integer("SELECT count(*) FROM accounts")
        }
        #expect(accounts == 1)
        #expect(await house.wallLogin(try await house.code()).status == 200)
    }

    @Test func `of two codes the newest works, until the end of its time`() async throws {
        let house = try await BackendHouse()
        await house.wall("/register")
        let first = try await house.code()
        await house.wall("/request-code")
        let second = try await house.code()
        #expect(await house.wallLogin(first).status == 401)
        house.frozen.advance(by: 899)
        #expect(await house.wallLogin(second).status == 200)
    }

    @Test func `at the Micronaut server all work, until one did`() async throws {
        let house = try await BackendHouse()
        try await house.wallMember()
        var codes: [String] = []
        for _ in 0..<8 {
            await house.campusCode("login")
            codes.append(try await house.code())
        }
        func login(_ code: String) async -> Reply {
            await house.send(
                .post(BackendHouse.campus + "/login/email", BackendHouse.campusTyped(code)))
        }
        #expect(await login(codes[3]).status == 200)
        for code in codes {
            let reply = await login(code)
            #expect(reply.json["error"] == "Invalid or expired code")
        }
    }

    @Test func `no guess beyond the fifth is looked at`() async throws {
        let house = try await BackendHouse()
        await house.wall("/register")
        for _ in 0..<5 { #expect(await house.wallLogin("000000").status == 401) }
        #expect(await house.wallLogin("000000").status == 429)
        let code = try await house.code()
        #expect(await house.wallLogin(code).status == 429)
        // Nor does the Micronaut server, which counts nothing, open it.
        let there = await house.send(
            .post(BackendHouse.campus + "/register/email", BackendHouse.campusTyped(code)))
        #expect(there.status == 400)
        #expect(there.json["error"] == "Invalid or expired code")
        // A new code is a new start.
        await house.wall("/request-code")
        #expect(await house.wallLogin(try await house.code()).status == 200)
    }

    @Test func `a code of the Micronaut server is none of the document's`() async throws {
        let house = try await BackendHouse()
        try await house.wallMember()
        await house.campusCode("login")
        let code = try await house.code()
        let here = await house.wallLogin(code)
        #expect(here.status == 401)
        #expect(here.json["message"] == "Invalid verification code")
        let there = await house.send(
            .post(BackendHouse.campus + "/login/email", BackendHouse.campusTyped(code)))
        #expect(there.status == 200)
    }

    @Test func `a code of one workspace is none in another`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        await house.wall("/register")
        let code = try await house.code()
        _ = await house.send(
            .post("/other/wall/auth/register", #"{"email":"\#(BackendHouse.student)"}"#))
        let there = await house.send(.post("/other/wall/auth/login", BackendHouse.typed(code)))
        #expect(there.status == 401)
        #expect(await house.wallLogin(code).status == 200)
    }

    @Test func `a used code marks its mail`() async throws {
        let house = try await BackendHouse()
        try await house.wallMember()
        let mail = try await house.backend.mailbox.list(workspace: "main").items.first
        #expect(mail?.usedAt == house.frozen.now)
        #expect(mail?.purpose == "register")
        #expect(mail?.text.contains(try await house.code()) == true)
    }

    @Test func `codes are six digits, some with zeros in front`() async throws {
        let house = try await BackendHouse()
        let codes = Codes(
            world: house.frozen.world,
            keyring: try #require(house.backend.contracts.first { $0.id == "wall" }).tokens.keyring)
        let made = (0..<1_000).map { _ in codes.make() }
        #expect(
            made.allSatisfy {
                $0.utf8.count == 6 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        #expect(made.contains { $0.hasPrefix("0") })
        #expect(Set(made).count > 990)
    }
}
