import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct AccountTests {
    @Test func `of parallel registrations of one address one succeeds`() async throws {
        let fixture = try await BackendFixture()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { await fixture.register().status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 422 }.count == 9)
        let mails = try await fixture.backend.mailbox.list(workspace: "main")
        #expect(mails.total == 1)
    }

    @Test func `a device registered in parallel is one account`() async throws {
        let fixture = try await BackendFixture()
        let replies = await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<10 { group.addTask { await fixture.registerDevice() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.filter { $0.status == 201 }.count == 1)
        #expect(replies.filter { $0.status == 200 }.count == 9)
        #expect(Set(replies.map { $0.json["user"]?["id"]?.string }).count == 1)
    }

    /// Its password is hashed while the workspace goes: what it writes then is
    /// what a request writes that was let in before.
    @Test func `a request that outlives its workspace leaves no account`() async throws {
        let fixture = try await BackendFixture()
        for workspace in ["ws_one", "main"] {
            try await fixture.backend.create(workspace: workspace)
        }
        try await fixture.backend.delete(workspace: "ws_one")
        await #expect(throws: DatabaseError.self) {
            try await fixture.database.write { connection in
                try connection.run(
                    """
                    INSERT INTO accounts \
                    (id, workspace, contract, profile, created_at) \
                    VALUES ('usr_1', 'ws_one', 'mystica', '{}', 0)
                    """)
            }
        }
        #expect(try await fixture.backend.referencedWorkspaceIDs() == ["main"])
    }

    @Test(arguments: [" ada@example.com", "ADA@EXAMPLE.COM"])
    func `an address is the same however it is written`(_ spelling: String) async throws {
        let fixture = try await BackendFixture()
        try await fixture.verified()
        #expect(await fixture.register(spelling).status == 422)
        #expect(await fixture.login(spelling).status == 200)
    }

    @Test func `one address has an account in each workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        try await fixture.verified()
        #expect(await fixture.register(in: "other").status == 200)
        #expect(await fixture.login().status == 200)
        #expect(await fixture.login(in: "other").code == "email_not_verified")
    }

    @Test(arguments: ["first", "last"]) func `a password counts to its last character`(
        _ change: String
    ) async throws {
        let fixture = try await BackendFixture()
        try await fixture.verified()
        let wrong =
            change == "first"
            ? "C\(BackendFixture.password.dropFirst())" : "\(BackendFixture.password.dropLast())E"
        #expect(await fixture.login(BackendFixture.email, wrong).status == 400)
    }

    @Test func `a password of 511 bytes works, one of 512 is refused`() async throws {
        let fixture = try await BackendFixture()
        let long = String(repeating: "p", count: 511)
        #expect(await fixture.register("b@c.de", long).status == 200)
        _ = await fixture.follow(try await fixture.link(to: "b@c.de"))
        #expect(await fixture.login("b@c.de", long).status == 200)
        let longer = await fixture.register("d@e.fg", long + "p")
        #expect(longer.status == 400)
        #expect(longer.code == "VALIDATION_ERROR")
    }

    @Test func `a disabled account is kept out everywhere`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        try await fixture.database.write { connection in
            try connection.run("UPDATE accounts SET disabled_at = 1")
        }
        #expect(await fixture.login().code == "account_disabled")
        #expect(await fixture.me(reply.accessToken).code == "account_disabled")
        #expect(await fixture.refresh(reply.refreshToken).code == "account_disabled")
    }

    @Test func `a locked account is told when it may come back`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.verified()
        let end = Timestamp(fixture.frozen.now) + .seconds(90)
        try await fixture.database.write { connection in
            try connection.run("UPDATE accounts SET locked_until = ?", [end.sqlValue])
        }
        let locked = await fixture.login()
        #expect(locked.status == 429)
        #expect(locked.headers["Retry-After"] == "90")
        fixture.frozen.advance(by: 90)
        #expect(await fixture.login().status == 200)
    }

    @Test func `unverified tokens open when the link is followed`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.register()
        let refused = await fixture.me(reply.accessToken)
        #expect(refused.status == 401)
        #expect(refused.code == "email_not_verified")
        // Refreshing meets no wall, so that a launch can go on.
        let refreshed = await fixture.refresh(reply.refreshToken)
        #expect(refreshed.status == 200)
        #expect(await fixture.me(refreshed.accessToken).code == "email_not_verified")
        _ = await fixture.follow(try await fixture.link(to: BackendFixture.email))
        #expect(await fixture.me(reply.accessToken).status == 200)
        #expect(await fixture.me(refreshed.accessToken).status == 200)
    }

    @Test func `the last login is told by me`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        fixture.frozen.advance(by: 60)
        _ = await fixture.login()
        let player = await fixture.me(reply.accessToken).json
        #expect(player["created_at"] == "2026-11-21T14:35:00Z")
        #expect(player["last_login"] == "2026-11-21T14:36:00Z")
    }
}
