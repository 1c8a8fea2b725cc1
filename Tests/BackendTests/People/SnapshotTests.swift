import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SnapshotTests {
    private func keep(_ house: BackendHouse, _ contracts: [String]) async throws {
        try await house.backend.keep(snapshot: "snap_1", contracts: contracts, workspace: "main")
    }

    @Test func `accounts, sessions, links and mail are as they were`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica")
        let signIn = await house.login()
        await house.register("zoe@example.com")
        let link = try await house.link(to: "zoe@example.com")
        try await keep(house, ["mystica"])
        // Everything goes wrong.
        _ = await house.refresh(signIn.refreshToken)
        _ = await house.follow(link)
        try await house.backend.delete(account: ada.id, workspace: "main")
        await house.register("late@example.com")
        _ = try await house.backend.mailbox.forget(workspace: "main")
        #expect(try await house.backend.restore(snapshot: "snap_1"))
        #expect(await house.me(signIn.accessToken).status == 200)
        #expect(await house.refresh(signIn.refreshToken).status == 200)
        #expect(await house.login("zoe@example.com").code == "email_not_verified")
        #expect(await house.follow(link).status == 200)
        #expect(await house.login("zoe@example.com").status == 200)
        #expect(await house.login("late@example.com").code == "INVALID_CREDENTIALS")
        let mail = try await house.backend.mailbox.list(workspace: "main")
        #expect(mail.items.map(\.to) == ["zoe@example.com"])
    }

    @Test func `a token used since is good again, and one issued is unknown`() async throws {
        let house = try await BackendHouse()
        try await house.add("mystica")
        let first = await house.login().refreshToken
        try await keep(house, ["mystica"])
        let second = await house.refresh(first).refreshToken
        _ = try await house.backend.restore(snapshot: "snap_1")
        #expect(await house.refresh(second).status == 401)
        #expect(await house.refresh(first).status == 200)
    }

    @Test func `other contracts and workspaces stay as they are`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "w2")
        try await keep(house, ["mystica"])
        try await house.add("bob")
        _ = try await house.backend.addPerson(
            contract: "mystica", workspace: "w2", person: Person(email: "w@example.com"))
        try await house.add("mystica")
        _ = try await house.backend.restore(snapshot: "snap_1")
        let count = try await house.backend.accountCount(workspace: "main")
        #expect(count == 1)
        #expect(try await house.backend.accountCount(workspace: "w2") == 1)
    }

    @Test(arguments: PeopleTests.contracts) func `a lot is kept and put back whole`(
        contract: String
    ) async throws {
        let house = try await BackendHouse()
        let crowd = try await house.backend.addPeople(
            300, domain: "example.org", contract: contract, workspace: "main",
            person: Person(accessTokenTTL: 60))
        try await keep(house, [contract])
        try await house.backend.reset(workspace: "main")
        // A reset empties it: there is nothing to put back.
        #expect(try await !house.backend.restore(snapshot: "snap_1"))
        #expect(crowd.made == 300)
    }

    @Test func `a wished life of tokens comes back too`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("bob", ttl: 60)
        try await keep(house, ["bob"])
        try await house.change(ada) { $0.accessTokenTTL = .contract }
        _ = try await house.backend.restore(snapshot: "snap_1")
        let known = try await house.backend.account(ada.id, workspace: "main")
        #expect(known?.accessTokenTTL == 60)
    }

    @Test func `every table that a realm fills is kept`() async throws {
        let house = try await BackendHouse()
        let kept = Set(KeptTable.all.map(\.name.text))
        let tables = try await house.database.read { connection in
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
        for table in KeptTable.all {
            let columns = try await house.database.read { connection in
                try connection.rows(
                    "SELECT name FROM pragma_table_info(?)", [.text(table.name.text)]
                ) { $0.text(0) }
            }
            let named = table.columns.text.split { ", \n".contains($0) }
            #expect(Set(columns) == Set(named.map(String.init)))
        }
    }

    @Test func `a refresh token put back alone is told for what it is`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica")
        let first = await house.login().refreshToken
        func standing(_ token: String) async throws -> EmbeddedBackend.RefreshStanding {
            try await house.backend.standing(
                ofRefreshToken: token, contract: "mystica", workspace: "main")
        }
        #expect(try await standing(first) == .current)
        let second = await house.refresh(first).refreshToken
        #expect(try await standing(first) == .used(newest: 2))
        #expect(try await standing("nonsense") == .unknown)
        try await house.change(ada) { $0.signsOut = true }
        guard case .ended = try await standing(second) else {
            Issue.record("its session ended")
            return
        }
    }
}
