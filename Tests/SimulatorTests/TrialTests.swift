import FoundationEssentials
import SQLite
import Support
import Surroundings
import Testing
import Traffic
import Web

@testable import Simulator

/// Refreshes made on purpose, and what is kept to make them with.
@Suite(.timeLimit(.minutes(10))) struct TrialTests {
    private func session(_ phone: Phone) async throws -> Session {
        try #require(try await phone.now.session)
    }

    private func refreshed(_ phone: Phone, _ number: Int) async throws {
        phone.stub.script(
            "POST /auth/refresh", Wire.refreshed(Wire.token(number), "refresh-\(number)"))
        _ = try await phone.simulator.refresh(session: try await session(phone).id, in: "main")
    }

    @Test func `tokens a device gave up are kept sealed, by generation`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        try await refreshed(phone, 2)
        let id = try await session(phone).id
        let kept = try await house.simulator.keptTokens(ofSession: id, in: "main")
        #expect(kept.map(\.kind) == [.access, .refresh])
        #expect(kept.map(\.generation) == [1, 1])
        #expect(kept.allSatisfy { $0.branch == .own })
        let rows = try await house.database.read { connection in
            try connection.rows("SELECT sealed FROM session_tokens") { $0.text(0) }
        }
        #expect(rows.allSatisfy { !$0.contains("refresh-token-1") })
    }

    @Test func `tokens a moment took away can be shown again`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let began = try #require(house.events(.sessionBegan).last)
        let id = try await session(phone).id
        for number in 2...3 { try await refreshed(phone, number) }
        _ = try await phone.simulator.restore(began)
        let kept = try await house.simulator.keptTokens(ofSession: id, in: "main")
        #expect(kept.filter { $0.kind == .refresh }.map(\.generation) == [1, 2, 3])
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        _ = try await house.simulator.replay(session: id, generation: 3, in: "main")
        #expect(
            phone.stub.sent("POST /auth/refresh").last?.text == #"{"refresh_token":"refresh-3"}"#)
    }

    @Test func `only so many are kept, the newest`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        for number in 2...40 { try await refreshed(phone, number) }
        let kept = try await house.simulator.keptTokens(
            ofSession: try await session(phone).id, in: "main")
        #expect(kept.count == TokenTable.bound)
        #expect(kept.last?.generation == 39)
    }

    @Test func `signing out keeps what was held last`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let id = try await session(phone).id
        try await house.simulator.forgetAll(phone.place)
        let kept = try await house.simulator.keptTokens(ofSession: id, in: "main")
        #expect(kept.map(\.kind) == [.access, .refresh])
    }

    @Test func `two tabs are in flight together and the first answer stays`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let id = try await session(phone).id
        let latch = Latch()
        phone.stub.script(
            "POST /auth/refresh", .held(latch, Wire.refreshed(Wire.token(2), "refresh-2")),
            .held(latch, Wire.refreshed(Wire.token(3), "refresh-3")))
        async let trial = house.simulator.race(session: id, in: "main")
        #expect(await eventually { latch.waiting == 2 })
        latch.open()
        let sendings = try await trial.sendings
        #expect(sendings.map(\.outcome) == [.kept, .taken])
        #expect(
            phone.stub.sent("POST /auth/refresh").map(\.text)
                == Array(repeating: #"{"refresh_token":"refresh-token-1"}"#, count: 2))
        let now = try await session(phone)
        #expect(now.refreshCount == 1)
        let kept = try await house.simulator.keptTokens(ofSession: id, in: "main")
        #expect(kept.filter { $0.branch == .rival }.map(\.generation) == [2, 2])
        let causes = try await house.exchanges.list(ExchangeQuery(workspace: "main")).items.map(
            \.cause)
        #expect(causes == [.hand, .hand, .submit])
    }

    @Test func `a tab that is refused signs nobody out`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        phone.stub.script("POST /auth/refresh", Wire.error(401), Wire.error(401))
        let trial = try await house.simulator.race(session: try await session(phone).id, in: "main")
        #expect(trial.sendings.map(\.outcome) == [.refused, .refused])
        #expect(try await phone.screen == "map")
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
    }

    @Test func `a replay shows the old token and changes nothing here`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        try await refreshed(phone, 2)
        let before = try await phone.stored
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        let id = try await session(phone).id
        let trial = try await house.simulator.replay(session: id, generation: 1, in: "main")
        #expect(trial.sendings.map(\.outcome) == [.refused])
        #expect(
            phone.stub.sent("POST /auth/refresh").last?.text
                == #"{"refresh_token":"refresh-token-1"}"#)
        #expect(try await phone.stored == before)
        let history = try await house.simulator.history(ofSession: id, in: "main")
        #expect(history.last?.kind == "replay.refused")
        #expect(history.last?.exchange == trial.sendings[0].exchange)
        let exchange = try await house.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.cause == .replay)
    }

    @Test func `a replay sends the token it names, not the other tab's`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let id = try await session(phone).id
        phone.stub.script(
            "POST /auth/refresh",
            Wire.refreshed(Wire.token(2), "refresh-2"),
            Wire.refreshed(Wire.token(3), "refresh-3"),
            Wire.error(401), Wire.error(401))
        _ = try await house.simulator.race(session: id, in: "main")
        let own = try #require(try await phone.stored["mystica_refresh_token"])
        let rival = own == "refresh-2" ? "refresh-3" : "refresh-2"
        func sent() -> String? { phone.stub.sent("POST /auth/refresh").last?.text }
        let named = try await house.simulator.replay(session: id, generation: 2, in: "main")
        #expect(sent() == #"{"refresh_token":"\#(own)"}"#)
        #expect(named.sendings[0].words.hasPrefix("Generation 2, used elsewhere"))
        let generations = try await house.simulator.generations(of: try await session(phone))
        let other = try #require(generations.tokens.first { $0.token?.branch == .rival })
        #expect(other.name.words == "generation 2b, the other tab's")
        let number = try #require(other.token?.number)
        let trial = try await house.simulator.replay(session: id, token: number, in: "main")
        #expect(sent() == #"{"refresh_token":"\#(rival)"}"#)
        #expect(trial.sendings[0].words.hasPrefix("Generation 2b, the other tab's, used elsewhere"))
        let moments = try await house.simulator.history(ofSession: id, in: "main")
        #expect(moments.last?.token == number)
    }

    @Test func `a token nobody kept cannot be used by its number`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        try await refreshed(phone, 2)
        let id = try await session(phone).id
        // The first is an access token.
        for number in [1, 9] {
            await #expect(throws: Problem.self) {
                try await house.simulator.replay(session: id, token: number, in: "main")
            }
        }
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
    }

    @Test func `a generation nobody kept cannot be used again`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let id = try await session(phone).id
        await #expect(throws: Problem.self) {
            try await house.simulator.replay(session: id, generation: 7, in: "main")
        }
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
    }

    @Test func `a lost answer leaves the device with the token it had`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let id = try await session(phone).id
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let trial = try await house.simulator.loseAnswer(session: id, in: "main")
        #expect(trial.sendings.map(\.outcome) == [.taken])
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
        let kept = try await house.simulator.keptTokens(ofSession: id, in: "main")
        #expect(kept.map(\.branch) == [.unheard, .unheard])
        let exchange = try await house.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.condition == "connection reset after 200, 1 of 1")
        #expect(exchange.status == 200)
    }

    @Test(arguments: [(200, true), (401, false), (403, false)])
    func `a probe hears whether the token is taken and changes nothing`(
        status: Int, isAccepted: Bool
    ) async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let before = try await phone.stored
        phone.stub.script("GET /auth/me", status == 200 ? Wire.me : Wire.error(status))
        let id = try await session(phone).id
        let answered = try #require(try await house.simulator.probe(session: id, in: "main"))
        #expect(answered.isAccepted == isAccepted)
        #expect(answered.status == status)
        #expect(try await phone.stored == before)
        #expect(try await phone.screen == "map")
        #expect(house.simulator.lastAnswer(ofSession: id) == answered)
        let exchange = try await house.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.cause == .probe && exchange.id == answered.exchange)
    }

    @Test func `an answer that does not tell is not taken for a refusal`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(500))
        let answered = try await house.simulator.probe(
            session: try await session(phone).id, in: "main")
        #expect(answered != nil && answered?.isAccepted == nil)
    }

    @Test func `a kept token is asked about by its number`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        try await refreshed(phone, 2)
        phone.stub.script("GET /auth/me", Wire.me)
        let id = try await session(phone).id
        _ = try await house.simulator.probe(session: id, token: 1, in: "main")
        #expect(phone.stub.sent("GET /auth/me").last?.bearer == Wire.token(1))
        // It says nothing of the token the device holds.
        #expect(house.simulator.lastAnswer(ofSession: id) == nil)
    }

    @Test func `what an app hears by itself is known without asking`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.me)
        _ = try await phone.open("map")
        let answered = house.simulator.lastAnswer(ofSession: try await session(phone).id)
        #expect(answered?.isAccepted == true && answered?.isProbe == false)
        #expect(answered?.facts["user"]?["email"] == "rowan@mystica.app")
    }

    @Test func `what is found twice is told once`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let before = try await session(phone)
        let finding = SessionFinding(of: before, disagreements: 1, isRevoked: true)
        for _ in 0..<2 { try await house.simulator.note(finding, of: before) }
        #expect(try await session(phone).state == .revoked)
        let told = house.hub.events(in: "main").filter { $0.facts["kind"] == "endedThere" }
        #expect(told.count == 1)
    }

    @Test func `sessions in disagreement are listed alone until they change`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        _ = try await house.phone().signedIn()
        let session = try await session(phone)
        let id = session.id
        let finding = SessionFinding(of: session, disagreements: 2, isRevoked: true)
        try await house.simulator.note(finding, of: session)
        #expect(try await phone.now.session?.state == .revoked)
        var query = SessionQuery(workspace: "main")
        query.disagreeing = true
        let page = try await house.simulator.sessions(query)
        #expect(page.items.map(\.session.id) == [id])
        #expect(page.total == 1)
        #expect(page.items[0].session.disagreements == 2)
        #expect(page.totals[.revoked] == 1 && page.totals[.active] == 1)
        #expect(try await house.simulator.disagreeing(in: "main") == 1)
        try await refreshed(phone, 2)
        #expect(try await house.simulator.sessions(query).items.isEmpty)
        // Whoever brings new tokens goes on with it.
        #expect(try await phone.now.session?.state == .active)
    }
}
