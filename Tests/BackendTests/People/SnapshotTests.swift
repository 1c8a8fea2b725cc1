import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SnapshotTests {
    private func keep(_ fixture: BackendFixture, _ contracts: [String]) async throws {
        try await fixture.backend.save(snapshot: "snap_1", contracts: contracts, workspace: "main")
    }

    @Test func `accounts, sessions, links and mail are as they were`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica")
        let signIn = await fixture.login()
        await fixture.register("zoe@example.com")
        let link = try await fixture.link(to: "zoe@example.com")
        try await keep(fixture, ["mystica"])
        // Everything goes wrong.
        _ = await fixture.refresh(signIn.refreshToken)
        _ = await fixture.follow(link)
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        await fixture.register("late@example.com")
        _ = try await fixture.backend.mailbox.clear(workspace: "main")
        #expect(try await fixture.backend.restore(snapshot: "snap_1"))
        #expect(await fixture.me(signIn.accessToken).status == 200)
        #expect(await fixture.refresh(signIn.refreshToken).status == 200)
        #expect(await fixture.login("zoe@example.com").code == "email_not_verified")
        #expect(await fixture.follow(link).status == 200)
        #expect(await fixture.login("zoe@example.com").status == 200)
        #expect(await fixture.login("late@example.com").code == "INVALID_CREDENTIALS")
        let mail = try await fixture.backend.mailbox.list(workspace: "main")
        #expect(mail.items.map(\.to) == ["zoe@example.com"])
    }

    @Test func `a token used since is good again, and one issued is unknown`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.add("mystica")
        let first = await fixture.login().refreshToken
        try await keep(fixture, ["mystica"])
        let second = await fixture.refresh(first).refreshToken
        _ = try await fixture.backend.restore(snapshot: "snap_1")
        #expect(await fixture.refresh(second).status == 401)
        #expect(await fixture.refresh(first).status == 200)
    }

    @Test func `other contracts and workspaces stay as they are`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "w2")
        try await keep(fixture, ["mystica"])
        try await fixture.add("bob")
        _ = try await fixture.backend.addAccount(
            contract: "mystica", workspace: "w2", draft: AccountDraft(email: "w@example.com"))
        try await fixture.add("mystica")
        _ = try await fixture.backend.restore(snapshot: "snap_1")
        let count = try await fixture.backend.accountCount(workspace: "main")
        #expect(count == 1)
        #expect(try await fixture.backend.accountCount(workspace: "w2") == 1)
    }

    @Test(arguments: AdministrationTests.contracts) func `a lot is kept and put back whole`(
        contract: String
    ) async throws {
        let fixture = try await BackendFixture()
        let crowd = try await fixture.backend.addAccounts(
            300, domain: "example.org", contract: contract, workspace: "main",
            draft: AccountDraft(accessTokenTTL: 60))
        try await keep(fixture, [contract])
        try await fixture.backend.reset(workspace: "main")
        // A reset empties it: there is nothing to put back.
        #expect(try await !fixture.backend.restore(snapshot: "snap_1"))
        #expect(crowd.addedCount == 300)
    }

    @Test func `a wished life of tokens comes back too`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("bob", ttl: 60)
        try await keep(fixture, ["bob"])
        try await fixture.change(ada) { $0.accessTokenTTL = .contractDefault }
        _ = try await fixture.backend.restore(snapshot: "snap_1")
        let known = try await fixture.backend.account(ada.id, workspace: "main")
        #expect(known?.accessTokenTTL == 60)
    }

    @Test func `every table that a realm fills is kept`() async throws {
        let fixture = try await BackendFixture()
        let kept = Set(SnapshotTable.all.map(\.name.text))
        let tables = try await fixture.database.read { connection in
            try connection.rows(
                """
                SELECT m.name FROM sqlite_schema m
                WHERE m.type = 'table' AND m.name NOT LIKE 'kept_%'
                    AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) c
                        WHERE c.name = 'contract')
                """
            ) { $0.text(0) }
        }
        // Keys and switches are the server's own, not its people's.
        let others: Set = ["signing_keys", "switches", "snapshot_contracts"]
        #expect(Set(tables).subtracting(others).isSubset(of: kept))
        for table in SnapshotTable.all {
            let columns = try await fixture.database.read { connection in
                try connection.rows(
                    "SELECT name FROM pragma_table_info(?)", [.text(table.name.text)]
                ) { $0.text(0) }
            }
            let named = table.columns.text.split { ", \n".contains($0) }
            #expect(Set(columns) == Set(named.map(String.init)))
        }
    }

    @Test func `a refresh token put back alone is told for what it is`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica")
        let first = await fixture.login().refreshToken
        func standing(_ token: String) async throws -> EmbeddedBackend.RefreshTokenStatus {
            try await fixture.backend.status(
                ofRefreshToken: token, contract: "mystica", workspace: "main")
        }
        #expect(try await standing(first) == .current)
        let second = await fixture.refresh(first).refreshToken
        #expect(try await standing(first) == .used(newestGeneration: 2))
        #expect(try await standing("nonsense") == .unknown)
        try await fixture.change(ada) { $0.shouldSignOut = true }
        guard case .sessionEnded = try await standing(second) else {
            Issue.record("its session ended")
            return
        }
    }
}
