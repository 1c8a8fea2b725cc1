import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Refresh tests, session checks, and the tokens archived for them.
@Suite(.timeLimit(.minutes(10))) struct RefreshTestTests {
    private func session(_ phone: Phone) async throws -> Session {
        try #require(try await phone.now.session)
    }

    private func refresh(_ phone: Phone, _ number: Int) async throws {
        phone.stub.script(
            "POST /auth/refresh", Wire.refreshed(Wire.token(number), "refresh-\(number)"))
        _ = try await phone.simulator.refresh(session: try await session(phone).id, in: "main")
    }

    @Test func `replaced tokens are archived sealed, with their generation`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refresh(phone, 2)
        let id = try await session(phone).id
        let archived = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(archived.map(\.kind) == [.access, .refresh])
        #expect(archived.map(\.generation) == [1, 1])
        #expect(archived.allSatisfy { $0.origin == .device })
        let rows = try await fixture.database.read { connection in
            try connection.rows("SELECT sealed FROM session_tokens") { $0.text(0) }
        }
        #expect(rows.allSatisfy { !$0.contains("refresh-token-1") })
    }

    @Test func `tokens undone by a restore are archived and can be reused`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let sessionBegan = try #require(fixture.events(.sessionBegan).last)
        let id = try await session(phone).id
        for number in 2...3 { try await refresh(phone, number) }
        _ = try await phone.simulator.restoreState(at: sessionBegan)
        let archived = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(archived.filter { $0.kind == .refresh }.map(\.generation) == [1, 2, 3])
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        _ = try await fixture.simulator.testTokenReuse(session: id, generation: 3, in: "main")
        #expect(
            phone.stub.sent("POST /auth/refresh").last?.text == #"{"refresh_token":"refresh-3"}"#)
    }

    @Test func `only the newest tokens are archived`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        for number in 2...40 { try await refresh(phone, number) }
        let archived = try await fixture.simulator.archivedTokens(
            ofSession: try await session(phone).id, in: "main")
        #expect(archived.count == ArchivedTokenTable.maxPerSession)
        #expect(archived.last?.generation == 39)
    }

    @Test func `clearing the storage archives the last tokens`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        try await fixture.simulator.clearStorage(phone.instance)
        let archived = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(archived.map(\.kind) == [.access, .refresh])
    }

    @Test func `two clients refresh concurrently and the first response is stored`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        let latch = Latch()
        phone.stub.script(
            "POST /auth/refresh", .held(latch, Wire.refreshed(Wire.token(2), "refresh-2")),
            .held(latch, Wire.refreshed(Wire.token(3), "refresh-3")))
        async let test = fixture.simulator.testConcurrentRefresh(session: id, in: "main")
        #expect(await eventually { latch.waiting == 2 })
        latch.open()
        let requests = try await test.requests
        #expect(requests.map(\.outcome) == [.stored, .accepted])
        #expect(
            phone.stub.sent("POST /auth/refresh").map(\.text)
                == Array(repeating: #"{"refresh_token":"refresh-token-1"}"#, count: 2))
        let now = try await session(phone)
        #expect(now.refreshCount == 1)
        let archived = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(archived.filter { $0.origin == .otherClient }.map(\.generation) == [2, 2])
        let causes = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items.map(
            \.cause)
        #expect(causes == [.manual, .manual, .submit])
    }

    @Test func `a rejected concurrent refresh does not end the session`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("POST /auth/refresh", Wire.error(401), Wire.error(401))
        let test = try await fixture.simulator.testConcurrentRefresh(
            session: try await session(phone).id, in: "main")
        #expect(test.requests.map(\.outcome) == [.rejected, .rejected])
        #expect(try await phone.screen == "map")
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
    }

    @Test func `a replay sends the old token and does not change the device`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refresh(phone, 2)
        let before = try await phone.stored
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        let id = try await session(phone).id
        let test = try await fixture.simulator.testTokenReuse(
            session: id, generation: 1, in: "main")
        #expect(test.requests.map(\.outcome) == [.rejected])
        #expect(
            phone.stub.sent("POST /auth/refresh").last?.text
                == #"{"refresh_token":"refresh-token-1"}"#)
        #expect(try await phone.stored == before)
        let history = try await fixture.simulator.history(ofSession: id, in: "main")
        #expect(history.last?.kind == "replay.rejected")
        #expect(history.last?.exchange == test.requests[0].exchange)
        let exchange = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.cause == .replay)
    }

    @Test func `a replay sends the token it names, not the other client's`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        phone.stub.script(
            "POST /auth/refresh",
            Wire.refreshed(Wire.token(2), "refresh-2"),
            Wire.refreshed(Wire.token(3), "refresh-3"),
            Wire.error(401), Wire.error(401))
        _ = try await fixture.simulator.testConcurrentRefresh(session: id, in: "main")
        let deviceToken = try #require(try await phone.stored["mystica_refresh_token"])
        let otherToken = deviceToken == "refresh-2" ? "refresh-3" : "refresh-2"
        func sent() -> String? { phone.stub.sent("POST /auth/refresh").last?.text }
        let testByGeneration = try await fixture.simulator.testTokenReuse(
            session: id, generation: 2, in: "main")
        #expect(sent() == #"{"refresh_token":"\#(deviceToken)"}"#)
        #expect(testByGeneration.requests[0].message.hasPrefix("Generation 2, used elsewhere"))
        let generations = try await fixture.simulator.tokenGenerations(of: try await session(phone))
        let other = try #require(generations.tokens.first { $0.token?.origin == .otherClient })
        #expect(other.name.lowercaseTitle == "generation 2b, second client")
        let number = try #require(other.token?.number)
        let test = try await fixture.simulator.testTokenReuse(
            session: id, token: number, in: "main")
        #expect(sent() == #"{"refresh_token":"\#(otherToken)"}"#)
        #expect(
            test.requests[0].message.hasPrefix("Generation 2b, second client, used elsewhere"))
        let history = try await fixture.simulator.history(ofSession: id, in: "main")
        #expect(history.last?.tokenNumber == number)
    }

    @Test func `a token that is not archived cannot be reused by its number`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refresh(phone, 2)
        let id = try await session(phone).id
        // Number 1 is an access token.
        for number in [1, 9] {
            await #expect(throws: Problem.self) {
                try await fixture.simulator.testTokenReuse(session: id, token: number, in: "main")
            }
        }
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
    }

    @Test func `a generation that is not archived cannot be reused`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        await #expect(throws: Problem.self) {
            try await fixture.simulator.testTokenReuse(session: id, generation: 7, in: "main")
        }
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
    }

    @Test func `a lost response leaves the device with its old token`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try await session(phone).id
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let test = try await fixture.simulator.testDroppedResponse(session: id, in: "main")
        #expect(test.requests.map(\.outcome) == [.accepted])
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
        let archived = try await fixture.simulator.archivedTokens(ofSession: id, in: "main")
        #expect(archived.map(\.origin) == [.responseLost, .responseLost])
        let exchange = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        #expect(exchange.fault == "connection reset after 200, 1 of 1")
        #expect(exchange.status == 200)
    }

    @Test(arguments: [(200, true), (401, false), (403, false)])
    func `a probe reports whether the token is accepted and changes nothing`(
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

    @Test func `an inconclusive response to a probe is not a rejection`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(500))
        let observation = try await fixture.simulator.probe(
            session: try await session(phone).id, in: "main")
        #expect(observation != nil && observation?.isAccepted == nil)
    }

    @Test func `an archived token can be probed by its number`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await refresh(phone, 2)
        phone.stub.script("GET /auth/me", Wire.me)
        let id = try await session(phone).id
        _ = try await fixture.simulator.probe(session: id, token: 1, in: "main")
        #expect(phone.stub.sent("GET /auth/me").last?.bearer == Wire.token(1))
        // It is no observation of the token on the device.
        #expect(fixture.simulator.lastObservation(ofSession: id) == nil)
    }

    @Test func `an app's own calls record whether its token is accepted`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.me)
        _ = try await phone.open("map")
        let observation = fixture.simulator.lastObservation(ofSession: try await session(phone).id)
        #expect(observation?.isAccepted == true && observation?.isProbe == false)
        #expect(observation?.capturedValues["user"]?["email"] == "rowan@mystica.app")
    }

    @Test func `a repeated check result is published once`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let before = try await session(phone)
        for _ in 0..<2 {
            try await fixture.simulator.recordCheck(
                of: before, discrepancyCount: 1, isRevoked: true)
        }
        #expect(try await session(phone).state == .revoked)
        let events = fixture.hub.events(in: "main").filter { $0.details["kind"] == "endedByServer" }
        #expect(events.count == 1)
    }

    @Test func `sessions out of sync can be filtered until they change`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await fixture.phone().signedIn()
        let session = try await session(phone)
        let id = session.id
        try await fixture.simulator.recordCheck(of: session, discrepancyCount: 2, isRevoked: true)
        #expect(try await phone.now.session?.state == .revoked)
        var query = SessionQuery(workspace: "main")
        query.isOutOfSync = true
        let list = try await fixture.simulator.sessions(query)
        #expect(list.page.items.map(\.id) == [id])
        #expect(list.page.total == 1)
        #expect(list.page.items[0].discrepancyCount == 2)
        #expect(list.workspaceTotals[.revoked] == 1 && list.workspaceTotals[.active] == 1)
        #expect(try await fixture.simulator.outOfSyncSessionCount(in: "main") == 1)
        try await refresh(phone, 2)
        #expect(try await fixture.simulator.sessions(query).page.items.isEmpty)
        // New tokens make the session active again.
        #expect(try await phone.now.session?.state == .active)
    }
}
