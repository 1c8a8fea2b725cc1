import FoundationEssentials
import Support
import Surroundings
import Synchronization
import Testing
import Web

@testable import Traffic

/// What each kind does to an exchange, before and after the backend's work.
@Suite(.timeLimit(.minutes(10))) struct TroubledTransportTests {
    @Test(arguments: [
        (Condition.Draft(.offline), TransportFailure.Kind.nameLookup),
        (Condition.Draft(.reset), .connection), (Condition.Draft(.timeout, delay: 5), .timeout),
    ]) func `before the backend acts nothing is sent`(
        _ draft: Condition.Draft, _ failure: TransportFailure.Kind
    ) async throws {
        let house = try await TroubleHouse()
        try await house.add(draft)
        let (got, kept) = try await house.call()
        #expect(got.failure == failure)
        #expect(house.sent.all.isEmpty)
        #expect(kept.exchange.failure?.kind == failure)
        #expect(kept.exchange.failure?.detail.contains("on purpose") == true)
        #expect(kept.remoteAddress == nil)
        #expect(kept.exchange.condition == "\(draft.word), no. 1")
    }

    @Test(arguments: [
        (Condition.Draft(.offline, phase: .after), TransportFailure.Kind.connection),
        (Condition.Draft(.reset, phase: .after), .connection),
        (Condition.Draft(.timeout, phase: .after, delay: 5), .timeout),
    ]) func `after it the work is done and the answer lost`(
        _ draft: Condition.Draft, _ failure: TransportFailure.Kind
    ) async throws {
        let house = try await TroubleHouse()
        try await house.add(draft)
        let (got, kept) = try await house.call()
        #expect(got.failure == failure)
        #expect(house.sent.all.count == 1)
        #expect(kept.exchange.status == nil)
        #expect(kept.remoteAddress == "127.0.0.1:7071")
        #expect(kept.exchange.condition == "\(draft.word) after 200, no. 1")
    }

    @Test(arguments: Condition.Phase.allCases) func `an answer of one's own says who gave it`(
        _ phase: Condition.Phase
    ) async throws {
        let house = try await TroubleHouse()
        try await house.add(
            .init(
                .status, times: 1, phase: phase, status: 503, body: #"{"error":"busy"}"#,
                headers: ["X-Shard": "7"]))
        let (got, kept) = try await house.call()
        let answer = try #require(got.answer)
        #expect(answer.status == 503)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["X-Shard"] == "7")
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"error":"busy"}"#)
        let stamp = phase == .before ? "status 503, 1 of 1" : "status 503 after 200, 1 of 1"
        #expect(answer.headers["Foyer-Condition"] == stamp)
        #expect(kept.exchange.condition == stamp)
        #expect(house.sent.all.count == (phase == .before ? 0 : 1))
    }

    @Test func `a backend's own answer is not marked`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.slow, delay: 1))
        let (got, kept) = try await house.call()
        #expect(kept.exchange.condition?.contains("slow") == true)
        #expect(got.status == 200)
        #expect(got.answer?.headers["Foyer-Condition"] == nil)
    }

    @Test func `429 says when to come again`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.rateLimited, retryAfter: 7))
        let (got, _) = try await house.call()
        #expect(got.status == 429)
        #expect(got.answer?.headers["Retry-After"] == "7")
    }

    @Test(arguments: Condition.Phase.allCases) func `slow really waits and then goes on`(
        _ phase: Condition.Phase
    ) async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.slow, phase: phase, delay: 2.5))
        let start = house.frozen.now
        let (got, kept) = try await house.call()
        #expect(got.status == 200)
        #expect(house.frozen.now.timeIntervalSince(start) >= 2.5)
        #expect(kept.exchange.timings.total == 2_502)
        #expect(house.sent.all.count == 1)
        if phase == .before { #expect(house.sent.all.first?.timeout == .seconds(27.5)) }
    }

    @Test(arguments: Condition.Phase.allCases) func `slower than the call can wait is a time-out`(
        _ phase: Condition.Phase
    ) async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.slow, phase: phase, delay: 60))
        let (got, kept) = try await house.call(timeout: .seconds(4))
        #expect(got.failure == .timeout)
        #expect(kept.exchange.timings.total == 4_000)
        #expect(house.sent.all.count == (phase == .before ? 0 : 1))
    }

    @Test func `what a call given up never met is not used up`() async throws {
        let house = try await TroubleHouse()
        try await house.add(
            .init(.reset, times: 1, phase: .after),
            .init(.slow, times: 1, delay: 60), .init(.offline, times: 1),
            .init(.mailLost, times: 1))
        let (got, kept) = try await house.call(timeout: .seconds(4))
        #expect(got.failure == .timeout)
        #expect(house.sent.all.isEmpty)
        #expect(kept.exchange.condition?.contains("slow") == true)
        #expect(kept.exchange.condition?.contains("offline") == false)
        let left = house.conditions.list(in: "main")
        #expect(left.map(\.kind) == [.reset, .offline, .mailLost])
        #expect(left.allSatisfy { $0.used == 0 && $0.lastUse == nil })
    }

    @Test func `a time-out waits no longer than the call or the condition`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.timeout, times: 1))
        #expect(try await house.call(timeout: .seconds(9)).kept.exchange.timings.total == 9_000)
        try await house.add(.init(.timeout, times: 1, delay: 2))
        #expect(try await house.call(timeout: .seconds(9)).kept.exchange.timings.total == 2_000)
    }

    @Test func `a wrong key strikes only calls that carry the token`() async throws {
        let house = try await TroubleHouse()
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.AbCdEf0123456789"
        try await house.add(.init(.wrongKey, times: 1))
        let (_, plain) = try await house.call(TroubleHouse.context(access: token))
        #expect(plain.exchange.condition == nil)
        let (_, kept) = try await house.call(
            TroubleHouse.context("me", access: token), bearer: token)
        #expect(kept.exchange.condition == "wrong key, 1 of 1")
        let sent = house.sent.all.last?.headers["Authorization"]
        #expect(sent == "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.aBcDeF0123456789")
    }

    @Test func `an opaque token is changed as a whole and stays sealed`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.wrongKey, times: 1))
        let (_, kept) = try await house.call(
            TroubleHouse.context("me", access: "opaque-token-77"), bearer: "opaque-token-77",
            body: #"{"t":"opaque-token-77"}"#)
        #expect(house.sent.all.last?.text == #"{"t":"77-nekot-euqapo"}"#)
        #expect(kept.requestBody.text == #"{"t":"‹token:0›"}"#)
    }

    @Test func `what takes the backend's key leaves a real backend alone`() async throws {
        let house = try await TroubleHouse()
        try await house.add(
            .init(.accessTokenExpired), .init(.wrongAudience), .init(.refreshTokenReused),
            .init(.mailLost), .init(.clockSkew))
        let (got, kept) = try await house.call(
            TroubleHouse.context(access: "aaaa.bbbb.cccc", refresh: "rt_1"),
            bearer: "aaaa.bbbb.cccc", body: "rt_1")
        #expect(got.status == 200)
        #expect(kept.exchange.condition == nil)
        #expect(house.sent.all.last?.headers["Foyer-Ticket"] == nil)
        #expect(house.conditions.list(in: "main").allSatisfy { $0.used == 0 })
    }

    @Test func `a refresh token is spent before the refresh leaves`() async throws {
        let spent = Mutex<[String]>([])
        let accomplice = Accomplice(
            base: "http://127.0.0.1:7071", forge: { _, _, _ in nil },
            spend: { token, address in
                spent.withLock { $0.append("\(token) \(address.workspace) \(address.contract)") }
            })
        let house = try await TroubleHouse(accomplice: accomplice)
        try await house.add(.init(.refreshTokenReused, times: 1))
        try await house.call()
        let (_, kept) = try await house.call(
            TroubleHouse.context("refresh", refresh: "rt_9"), body: "rt_9")
        #expect(kept.exchange.condition == "refresh token reused, 1 of 1")
        #expect(spent.withLock { $0 } == ["rt_9 main mystica"])
    }

    @Test func `a ticket goes to the embedded backend and into no record`() async throws {
        let accomplice = Accomplice(
            base: "http://127.0.0.1:7071", forge: { _, _, _ in nil }, spend: { _, _ in })
        let house = try await TroubleHouse(accomplice: accomplice)
        try await house.add(.init(.mailLost, times: 1))
        let (_, kept) = try await house.call()
        let ticket = house.sent.all.last?.headers["Foyer-Ticket"]
        #expect(ticket?.hasPrefix("tkt_") == true)
        #expect(kept.requestHeaders["Foyer-Ticket"] == nil)
        // Nothing came of it, and the ticket is void.
        #expect(kept.exchange.condition == nil)
        #expect(house.conditions.befalls(.mailLost, ticket: ticket ?? "") == nil)
        #expect(house.conditions.list(in: "main").map(\.used) == [0])
    }

    @Test func `the archive tells what struck`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.offline, times: 1))
        let (_, kept) = try await house.call()
        let entry = HAR.archive([kept], version: "0")["log"]?["entries"]?[0]
        #expect(entry?["_foyer"]?["condition"] == "offline, 1 of 1")
    }

    @Test func `traffic can be narrowed to what was struck`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.offline, times: 1))
        let struck = try await house.call().kept.exchange.id
        try await house.call()
        var query = ExchangeQuery(workspace: "main")
        query.struck = true
        let page = try await house.store.list(query)
        #expect(page.items.map(\.id) == [struck])
        #expect(page.total == 1)
    }
}
