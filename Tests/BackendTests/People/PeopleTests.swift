import SQLite
import Support
import Surroundings
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct PeopleTests {
    static let contracts = ["mystica", "bob", "wall", "clarity", "socoto"]

    /// The access token of a login of Ada's, in any contract.
    private func token(_ contract: String, _ house: BackendHouse) async -> (
        text: String, life: Int64?
    ) {
        let client = SocotoClient(house: house)
        let credentials: JSON = [
            "email": .string(BackendHouse.email), "password": .string(BackendHouse.password),
        ]
        let reply: Reply =
            switch contract {
            case "mystica": await house.login()
            case "bob": await house.bobLogin()
            case "wall":
                await house.send(
                    .post(BackendHouse.campus + "/login/password", credentials.description))
            case "clarity": await house.back()
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
        let house = try await BackendHouse()
        let ada = try await house.add(contract)
        try await house.backend.setAccessTokenTTL(20, contract: contract, workspace: "main")
        let tokens = try #require(house.backend.contracts.first { $0.id == contract }?.tokens)
        func life() async -> Int64 {
            let (text, told) = await token(contract, house)
            guard case .valid(let claims) = tokens.read(text, at: Moment(house.frozen.now)) else {
                return 0
            }
            let life = claims.expiresAt - Moment(house.frozen.now).seconds
            if let told { #expect(told == life) }
            return life
        }
        #expect(await life() == 20)
        try await house.change(ada) { $0.accessTokenTTL = .seconds(7) }
        #expect(await life() == 7)
        try await house.change(ada) { $0.accessTokenTTL = .contract }
        try await house.backend.setAccessTokenTTL(nil, contract: contract, workspace: "main")
        #expect(await life() >= 900)
    }

    @Test func `a wished life is there after a restart, and none is endless`() async throws {
        let house = try await BackendHouse()
        try await house.backend.setAccessTokenTTL(20, contract: "bob", workspace: "main")
        let again = try await TokenLives(database: house.database)
        let realm = Realm(workspace: "main", contract: "bob")
        #expect(again.seconds(of: nil, in: realm) == 20)
        for seconds in [0, -1, 86_401] {
            let refused = await refusal {
                try await house.backend.setAccessTokenTTL(
                    seconds, contract: "bob", workspace: "main")
            }
            #expect(refused?.pointer == "/accessTokenTTL")
        }
        try await house.backend.reset(workspace: "main")
        #expect(house.backend.lives.seconds(of: nil, in: realm) == nil)
    }

    @Test(arguments: contracts) func `many are made with one password`(contract: String)
        async throws
    {
        let house = try await BackendHouse()
        let crowd = try await house.backend.addPeople(
            250, domain: "example.org", contract: contract, workspace: "main", person: Person())
        #expect(crowd.made == 250)
        #expect((crowd.password == nil) == (contract == "wall"))
        var query = AccountQuery(workspace: "main")
        query.text = crowd.lastEmail
        let found = try await house.backend.accounts(query)
        #expect(found.items.map(\.email) == [crowd.lastEmail])
    }

    @Test func `lists are paged both ways, newest first, with totals`() async throws {
        let house = try await BackendHouse()
        _ = try await house.backend.addPeople(
            7, domain: "example.org", contract: "bob", workspace: "main",
            person: Person(state: .unverified))
        try await house.add("mystica")
        var query = AccountQuery(workspace: "main")
        query.limit = 3
        let first = try await house.backend.accounts(query)
        #expect(first.items.first?.email == BackendHouse.email)
        #expect(first.total == 8)
        #expect(first.totals == [.unverified: 7, .verified: 1])
        #expect(first.hasOlder && !first.hasNewer)
        query.before = first.items.last?.sequence
        let second = try await house.backend.accounts(query)
        #expect(second.items.count == 3)
        query.before = nil
        query.after = second.items.first?.sequence
        let back = try await house.backend.accounts(query)
        #expect(back.items.map(\.id) == first.items.map(\.id))
        query = AccountQuery(workspace: "main")
        query.contract = "mystica"
        query.state = .verified
        #expect(try await house.backend.accounts(query).total == 1)
        query.text = "100%_"
        #expect(try await house.backend.accounts(query).total == 0)
    }

    @Test func `an address is taken once, and one that is none is refused`() async throws {
        let house = try await BackendHouse()
        try await house.add("mystica")
        let taken = await refusal { try await house.add("mystica") }
        #expect(taken?.code == "email-taken")
        for (email, pointer) in [("nobody", "/email")] {
            let refused = await refusal {
                _ = try await house.backend.addPerson(
                    contract: "mystica", workspace: "main", person: Person(email: email))
            }
            #expect(refused?.pointer == pointer)
        }
        let elsewhere = await refusal {
            _ = try await house.backend.addPerson(
                contract: "moon", workspace: "main", person: Person())
        }
        #expect(elsewhere?.pointer == "/app")
    }

    @Test func `changes are told, and no password with them`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("mystica")
        try await house.change(ada) {
            $0.password = "another horse"
            $0.signsOut = true
        }
        try await house.backend.delete(account: ada.id, workspace: "main")
        let events = house.hub.events(in: "main")
        #expect(events.map(\.kind) == [.accountAdded, .accountChanged, .accountRemoved])
        #expect(events.allSatisfy { $0.subject == ada.id })
        #expect(!"\(events)".contains("horse"))
    }

    @Test(arguments: contracts) func `every act is explained`(contract: String) async throws {
        let house = try await BackendHouse()
        for act in AccountAct.allCases {
            let rule = house.backend.rule(act, contract: contract)
            #expect(rule.text.hasSuffix("."), "\(act)")
        }
    }
}
