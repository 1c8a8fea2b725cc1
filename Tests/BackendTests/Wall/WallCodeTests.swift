import Core
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallCodeTests {
    @Test func `only one of parallel logins with a code succeeds`() async throws {
        let fixture = try await BackendFixture()
        await fixture.postWall("/register")
        let code = try await fixture.wallCode()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await fixture.wallLogin(code).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 401 }.count == 19)
    }

    @Test func `only one of parallel registrations with a Micronaut code succeeds`() async throws {
        let fixture = try await BackendFixture()
        await fixture.sendMicronautCode("register")
        let code = try await fixture.wallCode()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await fixture.send(
                        .post(
                            BackendFixture.micronautPath + "/register/email",
                            BackendFixture.micronautCodeBody(code))
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 201 }.count == 1)
        #expect(statuses.filter { $0 == 409 }.count == 19)
    }

    @Test func `parallel registrations create one account`() async throws {
        let fixture = try await BackendFixture()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { await fixture.postWall("/register").status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200, 200])
        let accounts = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM accounts")
        }
        #expect(accounts == 1)
        #expect(await fixture.wallLogin(try await fixture.wallCode()).status == 200)
    }

    @Test func `the newest of two codes works until it expires`() async throws {
        let fixture = try await BackendFixture()
        await fixture.postWall("/register")
        let first = try await fixture.wallCode()
        await fixture.postWall("/request-code")
        let second = try await fixture.wallCode()
        #expect(await fixture.wallLogin(first).status == 401)
        fixture.frozen.advance(by: 899)
        #expect(await fixture.wallLogin(second).status == 200)
    }

    @Test func `all codes work at the Micronaut server until one is used`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerWallMember()
        var codes: [String] = []
        for _ in 0..<8 {
            await fixture.sendMicronautCode("login")
            codes.append(try await fixture.wallCode())
        }
        func login(_ code: String) async -> Reply {
            await fixture.send(
                .post(
                    BackendFixture.micronautPath + "/login/email",
                    BackendFixture.micronautCodeBody(code)))
        }
        #expect(await login(codes[3]).status == 200)
        for code in codes {
            let reply = await login(code)
            #expect(reply.json["error"] == "Invalid or expired code")
        }
    }

    @Test func `no code is accepted after five wrong ones`() async throws {
        let fixture = try await BackendFixture()
        await fixture.postWall("/register")
        for _ in 0..<5 { #expect(await fixture.wallLogin("000000").status == 401) }
        #expect(await fixture.wallLogin("000000").status == 429)
        let code = try await fixture.wallCode()
        #expect(await fixture.wallLogin(code).status == 429)
        // The Micronaut server, which does not count, rejects it as well.
        let micronautReply = await fixture.send(
            .post(
                BackendFixture.micronautPath + "/register/email",
                BackendFixture.micronautCodeBody(code)))
        #expect(micronautReply.status == 400)
        #expect(micronautReply.json["error"] == "Invalid or expired code")
        // A new code resets the count.
        await fixture.postWall("/request-code")
        #expect(await fixture.wallLogin(try await fixture.wallCode()).status == 200)
    }

    @Test func `a code of the Micronaut server is invalid in the other dialect`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerWallMember()
        await fixture.sendMicronautCode("login")
        let code = try await fixture.wallCode()
        let specificationReply = await fixture.wallLogin(code)
        #expect(specificationReply.status == 401)
        #expect(specificationReply.json["message"] == "Invalid verification code")
        let micronautReply = await fixture.send(
            .post(
                BackendFixture.micronautPath + "/login/email",
                BackendFixture.micronautCodeBody(code)))
        #expect(micronautReply.status == 200)
    }

    @Test func `a code is invalid in another workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.postWall("/register")
        let code = try await fixture.wallCode()
        _ = await fixture.send(
            .post("/other/wall/auth/register", #"{"email":"\#(BackendFixture.studentEmail)"}"#))
        let otherReply = await fixture.send(
            .post("/other/wall/auth/login", BackendFixture.wallCodeBody(code)))
        #expect(otherReply.status == 401)
        #expect(await fixture.wallLogin(code).status == 200)
    }

    @Test func `a used code marks its mail as used`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerWallMember()
        let mail = try await fixture.backend.mailbox.list(workspace: "main").items.first
        #expect(mail?.usedAt == fixture.frozen.now)
        #expect(mail?.purpose == "register")
        #expect(mail?.text.contains(try await fixture.wallCode()) == true)
    }

    @Test func `codes have six digits, some with leading zeros`() async throws {
        let fixture = try await BackendFixture()
        let keyring = try #require(fixture.backend.accessTokens(of: "wall")).keyring
        let generated = (0..<1_000).map { _ in keyring.makeCode() }
        #expect(
            generated.allSatisfy {
                $0.utf8.count == 6 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        #expect(generated.contains { $0.hasPrefix("0") })
        #expect(Set(generated).count > 990)
    }
}
