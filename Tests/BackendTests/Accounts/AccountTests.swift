import Core
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct AccountTests {
    @Test func `exactly one of parallel registrations of an address succeeds`() async throws {
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

    @Test func `parallel registrations of a device create one account`() async throws {
        let fixture = try await BackendFixture()
        let replies = await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<10 { group.addTask { await fixture.registerDevice() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.filter { $0.status == 201 }.count == 1)
        #expect(replies.filter { $0.status == 200 }.count == 9)
        #expect(Set(replies.map { $0.json["user"]?["id"]?.string }).count == 1)
    }

    /// Writes what a registration writes that was accepted before the workspace was deleted, and
    /// whose password was hashed in the meantime.
    @Test func `a request of a deleted workspace creates no account`() async throws {
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
    func `case and surrounding space of an address are ignored`(_ spelling: String) async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerVerified()
        #expect(await fixture.register(spelling).status == 422)
        #expect(await fixture.login(spelling).status == 200)
    }

    @Test func `an address can have an account in each workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        try await fixture.registerVerified()
        #expect(await fixture.register(in: "other").status == 200)
        #expect(await fixture.login().status == 200)
        #expect(await fixture.login(in: "other").code == "email_not_verified")
    }

    @Test(arguments: ["first", "last"])
    func `a password is compared from its first to its last character`(
        _ change: String
    ) async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerVerified()
        let wrong =
            change == "first"
            ? "C\(BackendFixture.password.dropFirst())" : "\(BackendFixture.password.dropLast())E"
        #expect(await fixture.login(BackendFixture.email, wrong).status == 400)
    }

    @Test func `a password of 511 bytes is accepted, one of 512 rejected`() async throws {
        let fixture = try await BackendFixture()
        let long = String(repeating: "p", count: 511)
        #expect(await fixture.register("b@c.de", long).status == 200)
        _ = await fixture.follow(try await fixture.link(to: "b@c.de"))
        #expect(await fixture.login("b@c.de", long).status == 200)
        let longer = await fixture.register("d@e.fg", long + "p")
        #expect(longer.status == 400)
        #expect(longer.code == "VALIDATION_ERROR")
    }

    @Test func `a disabled account is rejected by login, me and refresh`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        try await fixture.database.write { connection in
            try connection.run("UPDATE accounts SET disabled_at = 1")
        }
        #expect(await fixture.login().code == "account_disabled")
        #expect(await fixture.me(reply.accessToken).code == "account_disabled")
        #expect(await fixture.refresh(reply.refreshToken).code == "account_disabled")
    }

    @Test func `login to a locked account returns Retry-After until the lock ends`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerVerified()
        let lockEnd = Timestamp(fixture.frozen.now) + .seconds(90)
        try await fixture.database.write { connection in
            try connection.run("UPDATE accounts SET locked_until = ?", [lockEnd.sqlValue])
        }
        let locked = await fixture.login()
        #expect(locked.status == 429)
        #expect(locked.headers["Retry-After"] == "90")
        fixture.frozen.advance(by: 90)
        #expect(await fixture.login().status == 200)
    }

    @Test func `tokens of an unverified account work once its link is followed`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.register()
        let rejected = await fixture.me(reply.accessToken)
        #expect(rejected.status == 401)
        #expect(rejected.code == "email_not_verified")
        // An unverified account can refresh, so that a launch succeeds.
        let refreshed = await fixture.refresh(reply.refreshToken)
        #expect(refreshed.status == 200)
        #expect(await fixture.me(refreshed.accessToken).code == "email_not_verified")
        _ = await fixture.follow(try await fixture.link(to: BackendFixture.email))
        #expect(await fixture.me(reply.accessToken).status == 200)
        #expect(await fixture.me(refreshed.accessToken).status == 200)
    }

    @Test func `me returns the time of the last login`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        fixture.frozen.advance(by: 60)
        _ = await fixture.login()
        let user = await fixture.me(reply.accessToken).json
        #expect(user["created_at"] == "2026-11-21T14:35:00Z")
        #expect(user["last_login"] == "2026-11-21T14:36:00Z")
    }
}
