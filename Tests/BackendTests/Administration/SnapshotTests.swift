import Core
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SnapshotTests {
    private func save(_ fixture: BackendFixture, _ contracts: [String]) async throws {
        try await fixture.backend.save(snapshot: "snap_1", contracts: contracts, workspace: "main")
    }

    @Test func `a restore brings back accounts, sessions, links and mail`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica")
        let signIn = await fixture.login()
        await fixture.register("zoe@example.com")
        let link = try await fixture.link(to: "zoe@example.com")
        try await save(fixture, ["mystica"])
        // Changes everything that the snapshot includes.
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

    @Test func `a restore makes a token used since valid and one issued since unknown`()
        async throws
    {
        let fixture = try await BackendFixture()
        try await fixture.addAccount("mystica")
        let first = await fixture.login().refreshToken
        try await save(fixture, ["mystica"])
        let second = await fixture.refresh(first).refreshToken
        _ = try await fixture.backend.restore(snapshot: "snap_1")
        #expect(await fixture.refresh(second).status == 401)
        #expect(await fixture.refresh(first).status == 200)
    }

    @Test func `a restore leaves other contracts and workspaces unchanged`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "w2")
        try await save(fixture, ["mystica"])
        try await fixture.addAccount("bob")
        _ = try await fixture.backend.addAccount(
            contract: "mystica", workspace: "w2", draft: AccountDraft(email: "w@example.com"))
        try await fixture.addAccount("mystica")
        _ = try await fixture.backend.restore(snapshot: "snap_1")
        let count = try await fixture.backend.accountCount(workspace: "main")
        #expect(count == 1)
        #expect(try await fixture.backend.accountCount(workspace: "w2") == 1)
    }

    @Test(arguments: AdministrationTests.contracts)
    func `a workspace reset deletes a snapshot of 300 accounts`(
        contract: String
    ) async throws {
        let fixture = try await BackendFixture()
        let added = try await fixture.backend.addAccounts(
            300, domain: "example.org", contract: contract, workspace: "main",
            draft: AccountDraft(accessTokenTTL: 60))
        try await save(fixture, [contract])
        try await fixture.backend.reset(workspace: "main")
        // A reset deletes it: there is nothing to restore.
        #expect(try await !fixture.backend.restore(snapshot: "snap_1"))
        #expect(added.addedCount == 300)
    }

    @Test func `a restore brings back the configured token lifetime`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("bob", ttl: 60)
        try await save(fixture, ["bob"])
        try await fixture.changeAccount(ada) { $0.accessTokenTTL = .contractDefault }
        _ = try await fixture.backend.restore(snapshot: "snap_1")
        let account = try await fixture.backend.account(ada.id, workspace: "main")
        #expect(account?.accessTokenTTL == 60)
    }

    @Test func `a snapshot includes every table and column with data of a realm`() async throws {
        let fixture = try await BackendFixture()
        let snapshotTables = Set(SnapshotTable.all.map(\.name.text))
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
        // Keys, switches and the audit log belong to the server, not to its accounts; triggers keep
        // the totals.
        let excluded: Set = [
            "signing_keys", "switches", "snapshot_contracts", "account_totals", "audit_entries",
        ]
        #expect(Set(tables).subtracting(excluded).isSubset(of: snapshotTables))
        for table in SnapshotTable.all {
            let columns = try await fixture.database.read { connection in
                try connection.rows(
                    "SELECT name FROM pragma_table_info(?)", [.text(table.name.text)]
                ) { $0.text(0) }
            }
            let listed = table.columns.text.split { ", \n".contains($0) }
            #expect(Set(columns) == Set(listed.map(String.init)))
        }
    }

    @Test func `the status of a refresh token is current, used, unknown or session ended`()
        async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica")
        let first = await fixture.login().refreshToken
        func status(_ token: String) async throws -> EmbeddedBackend.RefreshTokenStatus {
            try await fixture.backend.status(
                ofRefreshToken: token, contract: "mystica", workspace: "main")
        }
        #expect(try await status(first) == .current)
        let second = await fixture.refresh(first).refreshToken
        #expect(try await status(first) == .used(newestGeneration: 2))
        #expect(try await status("nonsense") == .unknown)
        try await fixture.changeAccount(ada) { $0.shouldSignOut = true }
        guard case .sessionEnded = try await status(second) else {
            Issue.record("the session is not reported as ended")
            return
        }
    }
}
