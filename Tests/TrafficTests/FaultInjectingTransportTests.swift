import Core
import FoundationEssentials
import Support
import Synchronization
import Testing
import Web

@testable import Traffic

/// What each kind does to an exchange, before and after the backend's work.
@Suite(.timeLimit(.minutes(10))) struct FaultInjectingTransportTests {
    @Test(arguments: [
        (Fault.Draft(.offline), TransportFailure.Kind.nameLookup),
        (Fault.Draft(.reset), .connection), (Fault.Draft(.timeout, delay: 5), .timeout),
    ]) func `before the backend acts nothing is sent`(
        _ draft: Fault.Draft, _ failure: TransportFailure.Kind
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(draft)
        let (got, kept) = try await fixture.call()
        #expect(got.failure == failure)
        #expect(fixture.sent.all.isEmpty)
        #expect(kept.exchange.failure?.kind == failure)
        #expect(kept.exchange.failure?.detail.contains("on purpose") == true)
        #expect(kept.remoteAddress == nil)
        #expect(kept.exchange.fault == "\(draft.displayName), no. 1")
    }

    @Test(arguments: [
        (Fault.Draft(.offline, phase: .after), TransportFailure.Kind.connection),
        (Fault.Draft(.reset, phase: .after), .connection),
        (Fault.Draft(.timeout, phase: .after, delay: 5), .timeout),
    ]) func `after it the work is done and the answer lost`(
        _ draft: Fault.Draft, _ failure: TransportFailure.Kind
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(draft)
        let (got, kept) = try await fixture.call()
        #expect(got.failure == failure)
        #expect(fixture.sent.all.count == 1)
        #expect(kept.exchange.status == nil)
        #expect(kept.remoteAddress == "127.0.0.1:7071")
        #expect(kept.exchange.fault == "\(draft.displayName) after 200, no. 1")
    }

    @Test(arguments: Fault.Phase.allCases) func `an answer of one's own says who gave it`(
        _ phase: Fault.Phase
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(
                .status, times: 1, phase: phase, status: 503, body: #"{"error":"busy"}"#,
                headers: ["X-Shard": "7"]))
        let (got, kept) = try await fixture.call()
        let response = try #require(got.answer)
        #expect(response.status == 503)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["X-Shard"] == "7")
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"error":"busy"}"#)
        let stamp = phase == .before ? "status 503, 1 of 1" : "status 503 after 200, 1 of 1"
        #expect(response.headers["Foyer-Condition"] == stamp)
        #expect(kept.exchange.fault == stamp)
        #expect(fixture.sent.all.count == (phase == .before ? 0 : 1))
    }

    @Test func `a backend's own answer is not marked`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.slow, delay: 1))
        let (got, kept) = try await fixture.call()
        #expect(kept.exchange.fault?.contains("slow") == true)
        #expect(got.status == 200)
        #expect(got.answer?.headers["Foyer-Condition"] == nil)
    }

    @Test func `429 says when to come again`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.rateLimited, retryAfter: 7))
        let (got, _) = try await fixture.call()
        #expect(got.status == 429)
        #expect(got.answer?.headers["Retry-After"] == "7")
    }

    @Test(arguments: Fault.Phase.allCases) func `slow really waits and then goes on`(
        _ phase: Fault.Phase
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.slow, phase: phase, delay: 2.5))
        let start = fixture.frozen.now
        let (got, kept) = try await fixture.call()
        #expect(got.status == 200)
        #expect(fixture.frozen.now.timeIntervalSince(start) >= 2.5)
        #expect(kept.exchange.timings.total == 2_502)
        #expect(fixture.sent.all.count == 1)
        if phase == .before { #expect(fixture.sent.all.first?.timeout == .seconds(27.5)) }
    }

    @Test(arguments: Fault.Phase.allCases) func `slower than the call can wait is a time-out`(
        _ phase: Fault.Phase
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.slow, phase: phase, delay: 60))
        let (got, kept) = try await fixture.call(timeout: .seconds(4))
        #expect(got.failure == .timeout)
        #expect(kept.exchange.timings.total == 4_000)
        #expect(fixture.sent.all.count == (phase == .before ? 0 : 1))
    }

    @Test func `what a call given up never met is not used up`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.reset, times: 1, phase: .after),
            .init(.slow, times: 1, delay: 60), .init(.offline, times: 1),
            .init(.mailLost, times: 1))
        let (got, kept) = try await fixture.call(timeout: .seconds(4))
        #expect(got.failure == .timeout)
        #expect(fixture.sent.all.isEmpty)
        #expect(kept.exchange.fault?.contains("slow") == true)
        #expect(kept.exchange.fault?.contains("offline") == false)
        let left = fixture.conditions.list(in: "main")
        #expect(left.map(\.kind) == [.reset, .offline, .mailLost])
        #expect(left.allSatisfy { $0.appliedCount == 0 && $0.lastAffected == nil })
    }

    @Test func `a time-out waits no longer than the call or the condition`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.timeout, times: 1))
        #expect(try await fixture.call(timeout: .seconds(9)).kept.exchange.timings.total == 9_000)
        try await fixture.add(.init(.timeout, times: 1, delay: 2))
        #expect(try await fixture.call(timeout: .seconds(9)).kept.exchange.timings.total == 2_000)
    }

    @Test func `a wrong key strikes only calls that carry the token`() async throws {
        let fixture = try await FaultFixture()
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.AbCdEf0123456789"
        try await fixture.add(.init(.wrongKey, times: 1))
        let (_, plain) = try await fixture.call(FaultFixture.context(access: token))
        #expect(plain.exchange.fault == nil)
        let (_, kept) = try await fixture.call(
            FaultFixture.context("me", access: token), bearer: token)
        #expect(kept.exchange.fault == "wrong key, 1 of 1")
        let sent = fixture.sent.all.last?.headers["Authorization"]
        #expect(sent == "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.aBcDeF0123456789")
    }

    @Test func `an opaque token is changed as a whole and stays sealed`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.wrongKey, times: 1))
        let (_, kept) = try await fixture.call(
            FaultFixture.context("me", access: "opaque-token-77"), bearer: "opaque-token-77",
            body: #"{"t":"opaque-token-77"}"#)
        #expect(fixture.sent.all.last?.text == #"{"t":"77-nekot-euqapo"}"#)
        #expect(kept.requestBody.text == #"{"t":"‹token:0›"}"#)
    }

    @Test func `what takes the backend's key leaves a real backend alone`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.accessTokenExpired), .init(.wrongAudience), .init(.refreshTokenReused),
            .init(.mailLost), .init(.clockSkew))
        let (got, kept) = try await fixture.call(
            FaultFixture.context(access: "aaaa.bbbb.cccc", refresh: "rt_1"),
            bearer: "aaaa.bbbb.cccc", body: "rt_1")
        #expect(got.status == 200)
        #expect(kept.exchange.fault == nil)
        #expect(fixture.sent.all.last?.headers["Foyer-Ticket"] == nil)
        #expect(fixture.conditions.list(in: "main").allSatisfy { $0.appliedCount == 0 })
    }

    @Test func `a refresh token is spent before the refresh leaves`() async throws {
        let spent = Mutex<[String]>([])
        let accomplice = TokenForger(
            baseURL: "http://127.0.0.1:7071", forge: { _, _, _ in nil },
            markRefreshTokenUsed: { token, address in
                spent.withLock { $0.append("\(token) \(address.workspace) \(address.contract)") }
            })
        let fixture = try await FaultFixture(accomplice: accomplice)
        try await fixture.add(.init(.refreshTokenReused, times: 1))
        try await fixture.call()
        let (_, kept) = try await fixture.call(
            FaultFixture.context("refresh", refresh: "rt_9"), body: "rt_9")
        #expect(kept.exchange.fault == "refresh token reused, 1 of 1")
        #expect(spent.withLock { $0 } == ["rt_9 main mystica"])
    }

    @Test func `a ticket goes to the embedded backend and into no record`() async throws {
        let accomplice = TokenForger(
            baseURL: "http://127.0.0.1:7071", forge: { _, _, _ in nil },
            markRefreshTokenUsed: { _, _ in })
        let fixture = try await FaultFixture(accomplice: accomplice)
        try await fixture.add(.init(.mailLost, times: 1))
        let (_, kept) = try await fixture.call()
        let ticket = fixture.sent.all.last?.headers["Foyer-Ticket"]
        #expect(ticket?.hasPrefix("tkt_") == true)
        #expect(kept.requestHeaders["Foyer-Ticket"] == nil)
        // Nothing came of it, and the ticket is void.
        #expect(kept.exchange.fault == nil)
        #expect(fixture.conditions.applyFault(.mailLost, ticket: ticket ?? "") == nil)
        #expect(fixture.conditions.list(in: "main").map(\.appliedCount) == [0])
    }

    @Test func `the archive tells what struck`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 1))
        let (_, kept) = try await fixture.call()
        let entry = HAR.archive([kept], version: "0")["log"]?["entries"]?[0]
        #expect(entry?["_foyer"]?["condition"] == "offline, 1 of 1")
    }

    @Test func `traffic can be narrowed to what was struck`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 1))
        let struck = try await fixture.call().kept.exchange.id
        try await fixture.call()
        var query = ExchangeQuery(workspace: "main")
        query.onlyFaulted = true
        let page = try await fixture.store.list(query)
        #expect(page.items.map(\.id) == [struck])
        #expect(page.total == 1)
    }
}
