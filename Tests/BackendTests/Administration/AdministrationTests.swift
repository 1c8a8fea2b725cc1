import Core
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct AdministrationTests {
    static let contracts = ["mystica", "bob", "wall", "clarity", "socoto"]

    /// Signs Ada in, in any contract, and returns her access token and its reported lifetime.
    private func token(_ contract: String, _ fixture: BackendFixture) async -> (
        text: String, lifetime: Int64?
    ) {
        let client = SocotoClient(fixture: fixture)
        let credentials: JSON = [
            "email": .string(BackendFixture.email), "password": .string(BackendFixture.password),
        ]
        let reply: Reply =
            switch contract {
            case "mystica": await fixture.login()
            case "bob": await fixture.bobLogin()
            case "wall":
                await fixture.send(
                    .post(BackendFixture.micronautPath + "/login/password", credentials.description)
                )
            case "clarity": await fixture.signInWithFirebase()
            default: await client.send(.post, "/auth/v1/token?grant_type=password", credentials)
            }
        let json = reply.json
        let text =
            json["session"]?["access_token"] ?? json["tokens"]?["access_token"] ?? json[
                "accessToken"] ?? json["idToken"] ?? json["access_token"]
        let lifetime = json["expires_in"] ?? json["expiresIn"] ?? json["tokens"]?["expires_in"]
        return (text?.string ?? "", lifetime?.int ?? lifetime?.string.flatMap { Int64($0) })
    }

    @Test(arguments: contracts) func `access tokens have the configured lifetime`(
        contract: String
    ) async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount(contract)
        try await fixture.backend.setAccessTokenTTL(20, contract: contract, workspace: "main")
        let tokens = try #require(
            fixture.backend.contracts.first { $0.id == contract }?.accessTokens)
        func lifetime() async -> Int64 {
            let (text, reported) = await token(contract, fixture)
            guard case .valid(let claims) = tokens.validate(text, at: Timestamp(fixture.frozen.now))
            else {
                return 0
            }
            let lifetime = claims.expiresAt - Timestamp(fixture.frozen.now).seconds
            if let reported { #expect(reported == lifetime) }
            return lifetime
        }
        #expect(await lifetime() == 20)
        try await fixture.changeAccount(ada) { $0.accessTokenTTL = .seconds(7) }
        #expect(await lifetime() == 7)
        try await fixture.changeAccount(ada) { $0.accessTokenTTL = .contractDefault }
        try await fixture.backend.setAccessTokenTTL(nil, contract: contract, workspace: "main")
        #expect(await lifetime() >= 900)
    }

    @Test func `a configured lifetime persists across a restart and is bounded`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.setAccessTokenTTL(20, contract: "bob", workspace: "main")
        let reloaded = try await TokenLifetimes(database: fixture.database)
        let realm = Realm(workspace: "main", contract: "bob")
        #expect(reloaded.overrideSeconds(of: nil, in: realm) == 20)
        for seconds in [0, -1, 86_401] {
            let rejected = await thrownProblem {
                try await fixture.backend.setAccessTokenTTL(
                    seconds, contract: "bob", workspace: "main")
            }
            #expect(rejected?.pointer == "/accessTokenTTL")
        }
        try await fixture.backend.reset(workspace: "main")
        #expect(fixture.backend.tokenLifetimes.overrideSeconds(of: nil, in: realm) == nil)
    }

    @Test(arguments: contracts) func `a bulk addition creates accounts with one password`(
        contract: String
    )
        async throws
    {
        let fixture = try await BackendFixture()
        let result = try await fixture.backend.addAccounts(
            250, domain: "example.org", contract: contract, workspace: "main", draft: AccountDraft()
        )
        #expect(result.addedCount == 250)
        #expect((result.password == nil) == (contract == "wall"))
        var query = AccountQuery(workspace: "main")
        query.text = result.lastEmail
        let matching = try await fixture.backend.accounts(query).page
        #expect(matching.items.map(\.email) == [result.lastEmail])
    }

    @Test func `accounts are paged both ways, newest first, with totals`() async throws {
        let fixture = try await BackendFixture()
        _ = try await fixture.backend.addAccounts(
            7, domain: "example.org", contract: "bob", workspace: "main",
            draft: AccountDraft(state: .unverified))
        try await fixture.addAccount("mystica")
        var query = AccountQuery(workspace: "main")
        query.keyset.limit = 3
        let accounts = try await fixture.backend.accounts(query)
        let first = accounts.page
        #expect(first.items.first?.email == BackendFixture.email)
        #expect(first.total == 8)
        #expect(accounts.totals == [.unverified: 7, .verified: 1])
        #expect(first.hasOlder && !first.hasNewer)
        query.keyset.before = first.last
        let second = try await fixture.backend.accounts(query).page
        #expect(second.items.count == 3)
        query.keyset.before = nil
        query.keyset.after = second.first
        let firstAgain = try await fixture.backend.accounts(query).page
        #expect(firstAgain.items.map(\.id) == first.items.map(\.id))
        query = AccountQuery(workspace: "main")
        query.contract = "mystica"
        query.state = .verified
        #expect(try await fixture.backend.accounts(query).page.total == 1)
        query.text = "100%_"
        #expect(try await fixture.backend.accounts(query).page.total == 0)
    }

    @Test func `totals follow every change of an account`() async throws {
        let fixture = try await BackendFixture()
        func expectTotals(
            _ totals: AccountTotals, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            for contract in [nil, "bob"] {
                var query = AccountQuery(workspace: "main")
                query.contract = contract
                let page = try await fixture.backend.accounts(query)
                #expect(
                    page.totals.filter { $0.value != 0 } == totals, sourceLocation: sourceLocation)
                for (state, total) in totals {
                    query.state = state
                    let page = try await fixture.backend.accounts(query).page
                    #expect(page.total == total, sourceLocation: sourceLocation)
                    #expect(
                        page.items.map(\.state) == Array(repeating: state, count: total),
                        sourceLocation: sourceLocation)
                }
            }
        }
        func add(_ state: AccountDraft.State) async throws -> EmbeddedBackend.AccountDetails {
            try await fixture.backend.addAccount(
                contract: "bob", workspace: "main", draft: AccountDraft(state: state)
            ).account
        }
        let unverified = try await add(.unverified)
        let verified = try await add(.verified)
        let locked = try await add(.locked)
        try await expectTotals([.unverified: 1, .verified: 1, .locked: 1])
        try await fixture.changeAccount(unverified) { $0.isVerified = true }
        try await expectTotals([.verified: 2, .locked: 1])
        try await fixture.changeAccount(locked) { $0.isDisabled = true }
        try await expectTotals([.verified: 2, .disabled: 1])
        try await fixture.changeAccount(locked) { $0.isDisabled = false }
        try await fixture.changeAccount(verified) { $0.isDisabled = true }
        try await expectTotals([.verified: 1, .disabled: 1, .locked: 1])
        fixture.frozen.advance(by: 100_000)
        try await expectTotals([.verified: 2, .disabled: 1])
        try await fixture.backend.delete(account: verified.id, workspace: "main")
        try await expectTotals([.verified: 2])
        try await fixture.backend.reset(workspace: "main")
        try await expectTotals([:])
        #expect(try await fixture.backend.accountCount(workspace: "main") == 0)
    }

    @Test func `of a search in very many accounts only some matches are counted`() async throws {
        let fixture = try await BackendFixture()
        let added = try await fixture.backend.addAccounts(
            40, domain: "example.org", contract: "bob", workspace: "main", draft: AccountDraft())
        var query = AccountQuery(workspace: "main")
        query.exactCountLimit = 30
        query.countLimit = 20
        query.keyset.limit = 5
        query.text = "person"
        let common = try await fixture.backend.accounts(query)
        #expect(common.page.total == 20 && !common.page.totalIsExact)
        #expect(common.page.items.first?.email == added.lastEmail)
        query.state = .verified
        query.keyset.before = 3
        #expect(try await fixture.backend.accounts(query).page.items.count == 2)
        query.keyset.before = nil
        query.text = added.lastEmail
        let rare = try await fixture.backend.accounts(query)
        #expect(rare.page.items.map(\.email) == [added.lastEmail])
        #expect(rare.page.totalIsExact)
        #expect(rare.totals == [.verified: 1])
        query.text = "nowhere"
        #expect(try await fixture.backend.accounts(query).page.total == 0)
    }

    /// A restored snapshot may contain accounts as old as those of another contract.
    @Test func `a search in very many accounts lists no other account of the same age`()
        async throws
    {
        let fixture = try await BackendFixture()
        try await fixture.addAccount("mystica")
        func add(_ email: String, _ contract: String) async throws -> String {
            try await fixture.backend.addAccount(
                contract: contract, workspace: "main", draft: AccountDraft(email: email)
            ).account.id
        }
        let cleo = try await add("cleo@example.com", "clarity")
        try await fixture.backend.save(snapshot: "s", contracts: ["clarity"], workspace: "main")
        try await fixture.backend.delete(account: cleo, workspace: "main")
        let bea = try await add("bea@example.com", "bob")
        _ = try await fixture.backend.restore(snapshot: "s")
        var query = AccountQuery(workspace: "main")
        query.exactCountLimit = 1
        for (text, id) in [("cleo@", cleo), ("bea@", bea)] {
            query.text = text
            #expect(try await fixture.backend.accounts(query).page.items.map(\.id) == [id])
        }
    }

    @Test func `duplicate and invalid addresses and unknown contracts are rejected`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.addAccount("mystica")
        let duplicate = await thrownProblem { try await fixture.addAccount("mystica") }
        #expect(duplicate?.code == "email-taken")
        for (email, pointer) in [("nobody", "/email")] {
            let rejected = await thrownProblem {
                _ = try await fixture.backend.addAccount(
                    contract: "mystica", workspace: "main", draft: AccountDraft(email: email))
            }
            #expect(rejected?.pointer == pointer)
        }
        let unknownContract = await thrownProblem {
            _ = try await fixture.backend.addAccount(
                contract: "moon", workspace: "main", draft: AccountDraft())
        }
        #expect(unknownContract?.pointer == "/app")
    }

    @Test func `account changes publish events without the password`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("mystica")
        try await fixture.changeAccount(ada) {
            $0.password = "another horse"
            $0.shouldSignOut = true
        }
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        let events = fixture.hub.events(in: "main")
        #expect(events.map(\.kind) == [.accountAdded, .accountChanged, .accountRemoved])
        #expect(events.allSatisfy { $0.subject == ada.id })
        #expect(!"\(events)".contains("horse"))
    }

    @Test(arguments: contracts) func `every administrator action has an explanation`(
        contract: String
    ) async throws {
        let fixture = try await BackendFixture()
        for action in AdminAction.allCases {
            let availability = fixture.backend.availability(action, contract: contract)
            #expect(availability.explanation.hasSuffix("."), "\(action)")
        }
    }
}
