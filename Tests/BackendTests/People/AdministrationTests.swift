import Core
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct AdministrationTests {
    static let contracts = ["mystica", "bob", "wall", "clarity", "socoto"]

    /// The access token of a login of Ada's, in any contract.
    private func token(_ contract: String, _ fixture: BackendFixture) async -> (
        text: String, life: Int64?
    ) {
        let client = SocotoClient(house: fixture)
        let credentials: JSON = [
            "email": .string(BackendFixture.email), "password": .string(BackendFixture.password),
        ]
        let reply: Reply =
            switch contract {
            case "mystica": await fixture.login()
            case "bob": await fixture.bobLogin()
            case "wall":
                await fixture.send(
                    .post(BackendFixture.campus + "/login/password", credentials.description))
            case "clarity": await fixture.back()
            default: await client.send(.post, "/auth/v1/token?grant_type=password", credentials)
            }
        let json = reply.json
        let text =
            json["session"]?["access_token"] ?? json["tokens"]?["access_token"] ?? json[
                "accessToken"] ?? json["idToken"] ?? json["access_token"]
        let life = json["expires_in"] ?? json["expiresIn"] ?? json["tokens"]?["expires_in"]
        return (text?.string ?? "", life?.int ?? life?.string.flatMap { Int64($0) })
    }

    @Test(arguments: contracts) func `access tokens live as long as was wished for`(
        contract: String
    ) async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add(contract)
        try await fixture.backend.setAccessTokenTTL(20, contract: contract, workspace: "main")
        let tokens = try #require(
            fixture.backend.contracts.first { $0.id == contract }?.accessTokens)
        func life() async -> Int64 {
            let (text, told) = await token(contract, fixture)
            guard case .valid(let claims) = tokens.validate(text, at: Timestamp(fixture.frozen.now))
            else {
                return 0
            }
            let life = claims.expiresAt - Timestamp(fixture.frozen.now).seconds
            if let told { #expect(told == life) }
            return life
        }
        #expect(await life() == 20)
        try await fixture.change(ada) { $0.accessTokenTTL = .seconds(7) }
        #expect(await life() == 7)
        try await fixture.change(ada) { $0.accessTokenTTL = .contractDefault }
        try await fixture.backend.setAccessTokenTTL(nil, contract: contract, workspace: "main")
        #expect(await life() >= 900)
    }

    @Test func `a wished life is there after a restart, and none is endless`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.setAccessTokenTTL(20, contract: "bob", workspace: "main")
        let again = try await TokenLifetimes(database: fixture.database)
        let realm = Realm(workspace: "main", contract: "bob")
        #expect(again.overrideSeconds(of: nil, in: realm) == 20)
        for seconds in [0, -1, 86_401] {
            let refused = await refusal {
                try await fixture.backend.setAccessTokenTTL(
                    seconds, contract: "bob", workspace: "main")
            }
            #expect(refused?.pointer == "/accessTokenTTL")
        }
        try await fixture.backend.reset(workspace: "main")
        #expect(fixture.backend.tokenLifetimes.overrideSeconds(of: nil, in: realm) == nil)
    }

    @Test(arguments: contracts) func `many are made with one password`(contract: String)
        async throws
    {
        let fixture = try await BackendFixture()
        let crowd = try await fixture.backend.addAccounts(
            250, domain: "example.org", contract: contract, workspace: "main", draft: AccountDraft()
        )
        #expect(crowd.addedCount == 250)
        #expect((crowd.password == nil) == (contract == "wall"))
        var query = AccountQuery(workspace: "main")
        query.text = crowd.lastEmail
        let found = try await fixture.backend.accounts(query)
        #expect(found.items.map(\.email) == [crowd.lastEmail])
    }

    @Test func `lists are paged both ways, newest first, with totals`() async throws {
        let fixture = try await BackendFixture()
        _ = try await fixture.backend.addAccounts(
            7, domain: "example.org", contract: "bob", workspace: "main",
            draft: AccountDraft(state: .unverified))
        try await fixture.add("mystica")
        var query = AccountQuery(workspace: "main")
        query.limit = 3
        let first = try await fixture.backend.accounts(query)
        #expect(first.items.first?.email == BackendFixture.email)
        #expect(first.total == 8)
        #expect(first.totals == [.unverified: 7, .verified: 1])
        #expect(first.hasOlder && !first.hasNewer)
        query.before = first.items.last?.sequence
        let second = try await fixture.backend.accounts(query)
        #expect(second.items.count == 3)
        query.before = nil
        query.after = second.items.first?.sequence
        let back = try await fixture.backend.accounts(query)
        #expect(back.items.map(\.id) == first.items.map(\.id))
        query = AccountQuery(workspace: "main")
        query.contract = "mystica"
        query.state = .verified
        #expect(try await fixture.backend.accounts(query).total == 1)
        query.text = "100%_"
        #expect(try await fixture.backend.accounts(query).total == 0)
    }

    @Test func `an address is taken once, and one that is none is refused`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.add("mystica")
        let taken = await refusal { try await fixture.add("mystica") }
        #expect(taken?.code == "email-taken")
        for (email, pointer) in [("nobody", "/email")] {
            let refused = await refusal {
                _ = try await fixture.backend.addAccount(
                    contract: "mystica", workspace: "main", draft: AccountDraft(email: email))
            }
            #expect(refused?.pointer == pointer)
        }
        let elsewhere = await refusal {
            _ = try await fixture.backend.addAccount(
                contract: "moon", workspace: "main", draft: AccountDraft())
        }
        #expect(elsewhere?.pointer == "/app")
    }

    @Test func `changes are told, and no password with them`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.add("mystica")
        try await fixture.change(ada) {
            $0.password = "another horse"
            $0.shouldSignOut = true
        }
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        let events = fixture.hub.events(in: "main")
        #expect(events.map(\.kind) == [.accountAdded, .accountChanged, .accountRemoved])
        #expect(events.allSatisfy { $0.subject == ada.id })
        #expect(!"\(events)".contains("horse"))
    }

    @Test(arguments: contracts) func `every act is explained`(contract: String) async throws {
        let fixture = try await BackendFixture()
        for action in AdminAction.allCases {
            let rule = fixture.backend.availability(action, contract: contract)
            #expect(rule.explanation.hasSuffix("."), "\(action)")
        }
    }
}
