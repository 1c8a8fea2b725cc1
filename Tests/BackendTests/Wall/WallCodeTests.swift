import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallCodeTests {
    @Test func `a code typed by many at once works once`() async throws {
        let fixture = try await BackendFixture()
        await fixture.wall("/register")
        let code = try await fixture.code()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await fixture.wallLogin(code).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 401 }.count == 19)
    }

    @Test func `so it does at the Micronaut server`() async throws {
        let fixture = try await BackendFixture()
        await fixture.campusCode("register")
        let code = try await fixture.code()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await fixture.send(
                        .post(
                            BackendFixture.campus + "/register/email",
                            BackendFixture.campusTyped(code))
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 19)
    }

    @Test func `registering at once makes one account`() async throws {
        let fixture = try await BackendFixture()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { await fixture.wall("/register").status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200, 200])
        let accounts = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM accounts")
        }
        #expect(accounts == 1)
        #expect(await fixture.wallLogin(try await fixture.code()).status == 200)
    }

    @Test func `of two codes the newest works, until the end of its time`() async throws {
        let fixture = try await BackendFixture()
        await fixture.wall("/register")
        let first = try await fixture.code()
        await fixture.wall("/request-code")
        let second = try await fixture.code()
        #expect(await fixture.wallLogin(first).status == 401)
        fixture.frozen.advance(by: 899)
        #expect(await fixture.wallLogin(second).status == 200)
    }

    @Test func `at the Micronaut server all work, until one did`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.wallMember()
        var codes: [String] = []
        for _ in 0..<8 {
            await fixture.campusCode("login")
            codes.append(try await fixture.code())
        }
        func login(_ code: String) async -> Reply {
            await fixture.send(
                .post(BackendFixture.campus + "/login/email", BackendFixture.campusTyped(code)))
        }
        #expect(await login(codes[3]).status == 200)
        for code in codes {
            let reply = await login(code)
            #expect(reply.json["error"] == "Invalid or expired code")
        }
    }

    @Test func `no guess beyond the fifth is looked at`() async throws {
        let fixture = try await BackendFixture()
        await fixture.wall("/register")
        for _ in 0..<5 { #expect(await fixture.wallLogin("000000").status == 401) }
        #expect(await fixture.wallLogin("000000").status == 429)
        let code = try await fixture.code()
        #expect(await fixture.wallLogin(code).status == 429)
        // Nor does the Micronaut server, which counts nothing, open it.
        let there = await fixture.send(
            .post(BackendFixture.campus + "/register/email", BackendFixture.campusTyped(code)))
        #expect(there.status == 400)
        #expect(there.json["error"] == "Invalid or expired code")
        // A new code is a new start.
        await fixture.wall("/request-code")
        #expect(await fixture.wallLogin(try await fixture.code()).status == 200)
    }

    @Test func `a code of the Micronaut server is none of the document's`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.wallMember()
        await fixture.campusCode("login")
        let code = try await fixture.code()
        let here = await fixture.wallLogin(code)
        #expect(here.status == 401)
        #expect(here.json["message"] == "Invalid verification code")
        let there = await fixture.send(
            .post(BackendFixture.campus + "/login/email", BackendFixture.campusTyped(code)))
        #expect(there.status == 200)
    }

    @Test func `a code of one workspace is none in another`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.wall("/register")
        let code = try await fixture.code()
        _ = await fixture.send(
            .post("/other/wall/auth/register", #"{"email":"\#(BackendFixture.student)"}"#))
        let there = await fixture.send(.post("/other/wall/auth/login", BackendFixture.typed(code)))
        #expect(there.status == 401)
        #expect(await fixture.wallLogin(code).status == 200)
    }

    @Test func `a used code marks its mail`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.wallMember()
        let mail = try await fixture.backend.mailbox.list(workspace: "main").items.first
        #expect(mail?.usedAt == fixture.frozen.now)
        #expect(mail?.purpose == "register")
        #expect(mail?.text.contains(try await fixture.code()) == true)
    }

    @Test func `codes are six digits, some with zeros in front`() async throws {
        let fixture = try await BackendFixture()
        let codes = OneTimeCodes(
            world: fixture.frozen.world,
            keyring: try #require(fixture.backend.contracts.first { $0.id == "wall" }).accessTokens
                .keyring)
        let made = (0..<1_000).map { _ in codes.makeCode() }
        #expect(
            made.allSatisfy {
                $0.utf8.count == 6 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        #expect(made.contains { $0.hasPrefix("0") })
        #expect(Set(made).count > 990)
    }
}
