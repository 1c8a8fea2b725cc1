import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Refreshes made on purpose, and what is kept to make them with.
@Suite(.timeLimit(.minutes(10))) struct RefreshTestTests {
    private func session(_ phone: Phone) async throws -> Session {
        try #require(try await phone.now.session)
    }

    private func refreshed(_ phone: Phone, _ number: Int) async throws {
        phone.stub.script(
            "POST /auth/refresh", Wire.refreshed(Wire.token(number), "refresh-\(number)"))
        _ = try await phone.simulator.refresh(session: try await session(phone).id, in: "main")
    }

    @Test func `tokens a device gave up are kept sealed, by generation`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refreshed(phone, 2)
        let id = try await session(phone).id
        let kept = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(kept.map(\.kind) == [.access, .refresh])
        #expect(kept.map(\.generation) == [1, 1])
        #expect(kept.allSatisfy { $0.origin == .device })
        let rows = try await fixture.database.read { connection in
            try connection.rows("SELECT sealed FROM session_tokens") { $0.text(0) }
        }
        #expect(rows.allSatisfy { !$0.contains("refresh-token-1") })
    }

    @Test func `tokens a moment took away can be shown again`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let began = try #require(fixture.events(.sessionBegan).last)
        let id = try await session(phone).id
        for number in 2...3 { try await refreshed(phone, number) }
        _ = try await phone.simulator.restoreState(at: began)
        let kept = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(kept.filter { $0.kind == .refresh }.map(\.generation) == [1, 2, 3])
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        _ = try await fixture.simulator.testTokenReuse(session: id, generation: 3, in: "main")
        #expect(
            phone.stub.sent("POST /auth/refresh").last?.text == #"{"refresh_token":"refresh-3"}"#)
    }

    @Test func `only so many are kept, the newest`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        for number in 2...40 { try await refreshed(phone, number) }
        let kept = try await fixture.simulator.archivedTokens(
            ofSession: try await session(phone).id, in: "main")
        #expect(kept.count == ArchivedTokenTable.maxPerSession)
        #expect(kept.last?.generation == 39)
    }

    @Test func `signing out keeps what was held last`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        try await fixture.simulator.clearStorage(phone.place)
        let kept = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(kept.map(\.kind) == [.access, .refresh])
    }

    @Test func `two tabs are in flight together and the first answer stays`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        let latch = Latch()
        phone.stub.script(
            "POST /auth/refresh", .held(latch, Wire.refreshed(Wire.token(2), "refresh-2")),
            .held(latch, Wire.refreshed(Wire.token(3), "refresh-3")))
        async let trial = fixture.simulator.testConcurrentRefresh(session: id, in: "main")
        #expect(await eventually { latch.waiting == 2 })
        latch.open()
        let sendings = try await trial.requests
        #expect(sendings.map(\.outcome) == [.stored, .accepted])
        #expect(
            phone.stub.sent("POST /auth/refresh").map(\.text)
                == Array(repeating: #"{"refresh_token":"refresh-token-1"}"#, count: 2))
        let now = try await session(phone)
        #expect(now.refreshCount == 1)
        let kept = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(kept.filter { $0.origin == .otherClient }.map(\.generation) == [2, 2])
        let causes = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items.map(
            \.cause)
        #expect(causes == [.manual, .manual, .submit])
    }

    @Test func `a tab that is refused signs nobody out`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("POST /auth/refresh", Wire.error(401), Wire.error(401))
        let trial = try await fixture.simulator.testConcurrentRefresh(
            session: try await session(phone).id, in: "main")
        #expect(trial.requests.map(\.outcome) == [.rejected, .rejected])
        #expect(try await phone.screen == "map")
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
    }

    @Test func `a replay shows the old token and changes nothing here`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refreshed(phone, 2)
        let before = try await phone.stored
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        let id = try await session(phone).id
        let trial = try await fixture.simulator.testTokenReuse(
            session: id, generation: 1, in: "main")
        #expect(trial.requests.map(\.outcome) == [.rejected])
        #expect(
            phone.stub.sent("POST /auth/refresh").last?.text
                == #"{"refresh_token":"refresh-token-1"}"#)
        #expect(try await phone.stored == before)
        let history = try await fixture.simulator.history(ofSession: id, in: "main")
        #expect(history.last?.kind == "replay.refused")
        #expect(history.last?.exchange == trial.requests[0].exchange)
        let exchange = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.cause == .replay)
    }

    @Test func `a replay sends the token it names, not the other tab's`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        phone.stub.script(
            "POST /auth/refresh",
            Wire.refreshed(Wire.token(2), "refresh-2"),
            Wire.refreshed(Wire.token(3), "refresh-3"),
            Wire.error(401), Wire.error(401))
        _ = try await fixture.simulator.testConcurrentRefresh(session: id, in: "main")
        let own = try #require(try await phone.stored["mystica_refresh_token"])
        let rival = own == "refresh-2" ? "refresh-3" : "refresh-2"
        func sent() -> String? { phone.stub.sent("POST /auth/refresh").last?.text }
        let named = try await fixture.simulator.testTokenReuse(
            session: id, generation: 2, in: "main")
        #expect(sent() == #"{"refresh_token":"\#(own)"}"#)
        #expect(named.requests[0].message.hasPrefix("Generation 2, used elsewhere"))
        let generations = try await fixture.simulator.tokenGenerations(of: try await session(phone))
        let other = try #require(generations.tokens.first { $0.token?.origin == .otherClient })
        #expect(other.name.lowercaseTitle == "generation 2b, the other tab's")
        let number = try #require(other.token?.number)
        let trial = try await fixture.simulator.testTokenReuse(
            session: id, token: number, in: "main")
        #expect(sent() == #"{"refresh_token":"\#(rival)"}"#)
        #expect(
            trial.requests[0].message.hasPrefix("Generation 2b, the other tab's, used elsewhere"))
        let moments = try await fixture.simulator.history(ofSession: id, in: "main")
        #expect(moments.last?.tokenNumber == number)
    }

    @Test func `a token nobody kept cannot be used by its number`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refreshed(phone, 2)
        let id = try await session(phone).id
        // The first is an access token.
        for number in [1, 9] {
            await #expect(throws: Problem.self) {
                try await fixture.simulator.testTokenReuse(session: id, token: number, in: "main")
            }
        }
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
    }

    @Test func `a generation nobody kept cannot be used again`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        await #expect(throws: Problem.self) {
            try await fixture.simulator.testTokenReuse(session: id, generation: 7, in: "main")
        }
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
    }

    @Test func `a lost answer leaves the device with the token it had`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let trial = try await fixture.simulator.testDroppedResponse(session: id, in: "main")
        #expect(trial.requests.map(\.outcome) == [.accepted])
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
        let kept = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(kept.map(\.origin) == [.responseLost, .responseLost])
        let exchange = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.fault == "connection reset after 200, 1 of 1")
        #expect(exchange.status == 200)
    }

    @Test(arguments: [(200, true), (401, false), (403, false)])
    func `a probe hears whether the token is taken and changes nothing`(
        status: Int, isAccepted: Bool
    ) async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let before = try await phone.stored
        phone.stub.script("GET /auth/me", status == 200 ? Wire.me : Wire.error(status))
        let id = try await session(phone).id
        let observation = try #require(try await fixture.simulator.probe(session: id, in: "main"))
        #expect(observation.isAccepted == isAccepted)
        #expect(observation.status == status)
        #expect(try await phone.stored == before)
        #expect(try await phone.screen == "map")
        #expect(fixture.simulator.lastObservation(ofSession: id) == observation)
        let exchange = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.cause == .probe && exchange.id == observation.exchange)
    }

    @Test func `an answer that does not tell is not taken for a refusal`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(500))
        let observation = try await fixture.simulator.probe(
            session: try await session(phone).id, in: "main")
        #expect(observation != nil && observation?.isAccepted == nil)
    }

    @Test func `a kept token is asked about by its number`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refreshed(phone, 2)
        phone.stub.script("GET /auth/me", Wire.me)
        let id = try await session(phone).id
        _ = try await fixture.simulator.probe(session: id, token: 1, in: "main")
        #expect(phone.stub.sent("GET /auth/me").last?.bearer == Wire.token(1))
        // It says nothing of the token the device holds.
        #expect(fixture.simulator.lastObservation(ofSession: id) == nil)
    }

    @Test func `what an app hears by itself is known without asking`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.me)
        _ = try await phone.open("map")
        let observation = fixture.simulator.lastObservation(ofSession: try await session(phone).id)
        #expect(observation?.isAccepted == true && observation?.isProbe == false)
        #expect(observation?.capturedValues["user"]?["email"] == "rowan@mystica.app")
    }

    @Test func `what is found twice is told once`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let before = try await session(phone)
        let finding = SessionCheckResult(of: before, discrepancyCount: 1, isRevoked: true)
        for _ in 0..<2 { try await fixture.simulator.record(finding, of: before) }
        #expect(try await session(phone).state == .revoked)
        let told = fixture.hub.events(in: "main").filter { $0.details["kind"] == "endedThere" }
        #expect(told.count == 1)
    }

    @Test func `sessions in disagreement are listed alone until they change`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await fixture.phone().signedIn()
        let session = try await session(phone)
        let id = session.id
        let finding = SessionCheckResult(of: session, discrepancyCount: 2, isRevoked: true)
        try await fixture.simulator.record(finding, of: session)
        #expect(try await phone.now.session?.state == .revoked)
        var query = SessionQuery(workspace: "main")
        query.isOutOfSync = true
        let page = try await fixture.simulator.sessions(query)
        #expect(page.items.map(\.session.id) == [id])
        #expect(page.total == 1)
        #expect(page.items[0].session.discrepancyCount == 2)
        #expect(page.workspaceTotals[.revoked] == 1 && page.workspaceTotals[.active] == 1)
        #expect(try await fixture.simulator.outOfSyncSessionCount(in: "main") == 1)
        try await refreshed(phone, 2)
        #expect(try await fixture.simulator.sessions(query).items.isEmpty)
        // Whoever brings new tokens goes on with it.
        #expect(try await phone.now.session?.state == .active)
    }
}
