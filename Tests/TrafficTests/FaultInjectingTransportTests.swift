import Core
import FoundationEssentials
import Support
import Synchronization
import Testing
import Web

@testable import Traffic

/// What each kind of fault does to an exchange, before and after the backend processes it.
@Suite(.timeLimit(.minutes(10))) struct FaultInjectingTransportTests {
    @Test(arguments: [
        (Fault.Draft(.offline), TransportFailure.Kind.nameLookup),
        (Fault.Draft(.reset), .connection), (Fault.Draft(.timeout, delay: 5), .timeout),
    ]) func `a fault before processing sends nothing to the backend`(
        _ draft: Fault.Draft, _ failure: TransportFailure.Kind
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(draft)
        let (outcome, recorded) = try await fixture.call()
        #expect(outcome.failure == failure)
        #expect(fixture.sent.all.isEmpty)
        #expect(recorded.exchange.failure?.kind == failure)
        #expect(recorded.exchange.failure?.detail.contains("Simulated") == true)
        #expect(recorded.remoteAddress == nil)
        #expect(recorded.exchange.fault == "\(draft.displayName), no. 1")
    }

    @Test(arguments: [
        (Fault.Draft(.offline, phase: .after), TransportFailure.Kind.connection),
        (Fault.Draft(.reset, phase: .after), .connection),
        (Fault.Draft(.timeout, phase: .after, delay: 5), .timeout),
    ]) func `a fault after processing loses the response`(
        _ draft: Fault.Draft, _ failure: TransportFailure.Kind
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(draft)
        let (outcome, recorded) = try await fixture.call()
        #expect(outcome.failure == failure)
        #expect(fixture.sent.all.count == 1)
        #expect(recorded.exchange.status == nil)
        #expect(recorded.remoteAddress == "127.0.0.1:7071")
        #expect(recorded.exchange.fault == "\(draft.displayName) after 200, no. 1")
    }

    @Test(arguments: Fault.Phase.allCases)
    func `a substituted response names its fault in a header`(
        _ phase: Fault.Phase
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(
                .status, times: 1, phase: phase, status: 503, body: #"{"error":"busy"}"#,
                headers: ["X-Shard": "7"]))
        let (outcome, recorded) = try await fixture.call()
        let response = try #require(outcome.response)
        #expect(response.status == 503)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["X-Shard"] == "7")
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"error":"busy"}"#)
        let label = phase == .before ? "status 503, 1 of 1" : "status 503 after 200, 1 of 1"
        #expect(response.headers["X-Foyer-Fault"] == label)
        #expect(recorded.exchange.fault == label)
        #expect(fixture.sent.all.count == (phase == .before ? 0 : 1))
    }

    @Test func `a response from the backend has no fault header`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.slow, delay: 1))
        let (outcome, recorded) = try await fixture.call()
        #expect(recorded.exchange.fault?.contains("slow") == true)
        #expect(outcome.status == 200)
        #expect(outcome.response?.headers["X-Foyer-Fault"] == nil)
    }

    @Test func `a rate limit responds with 429 and Retry-After`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.rateLimited, retryAfter: 7))
        let (outcome, _) = try await fixture.call()
        #expect(outcome.status == 429)
        #expect(outcome.response?.headers["Retry-After"] == "7")
    }

    @Test(arguments: Fault.Phase.allCases)
    func `a slow fault delays the exchange and then continues`(
        _ phase: Fault.Phase
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.slow, phase: phase, delay: 2.5))
        let start = fixture.frozen.now
        let (outcome, recorded) = try await fixture.call()
        #expect(outcome.status == 200)
        #expect(fixture.frozen.now.timeIntervalSince(start) >= 2.5)
        #expect(recorded.exchange.timings.total == 2_502)
        #expect(fixture.sent.all.count == 1)
        if phase == .before { #expect(fixture.sent.all.first?.timeout == .seconds(27.5)) }
    }

    @Test(arguments: Fault.Phase.allCases)
    func `a delay longer than the call's timeout is a timeout`(
        _ phase: Fault.Phase
    ) async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.slow, phase: phase, delay: 60))
        let (outcome, recorded) = try await fixture.call(timeout: .seconds(4))
        #expect(outcome.failure == .timeout)
        #expect(recorded.exchange.timings.total == 4_000)
        #expect(fixture.sent.all.count == (phase == .before ? 0 : 1))
    }

    @Test func `faults that a timed-out call did not reach are not used up`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.reset, times: 1, phase: .after),
            .init(.slow, times: 1, delay: 60), .init(.offline, times: 1),
            .init(.mailLost, times: 1))
        let (outcome, recorded) = try await fixture.call(timeout: .seconds(4))
        #expect(outcome.failure == .timeout)
        #expect(fixture.sent.all.isEmpty)
        #expect(recorded.exchange.fault?.contains("slow") == true)
        #expect(recorded.exchange.fault?.contains("offline") == false)
        let remaining = fixture.faults.list(in: "main")
        #expect(remaining.map(\.kind) == [.reset, .offline, .mailLost])
        #expect(remaining.allSatisfy { $0.appliedCount == 0 && $0.lastAffected == nil })
    }

    @Test func `a timeout fault waits for the shorter of its delay and the call's timeout`()
        async throws
    {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.timeout, times: 1))
        #expect(
            try await fixture.call(timeout: .seconds(9)).recorded.exchange.timings.total == 9_000)
        try await fixture.add(.init(.timeout, times: 1, delay: 2))
        #expect(
            try await fixture.call(timeout: .seconds(9)).recorded.exchange.timings.total == 2_000)
    }

    @Test func `a wrong-key fault affects only calls that carry the access token`() async throws {
        let fixture = try await FaultFixture()
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.AbCdEf0123456789"
        try await fixture.add(.init(.wrongKey, times: 1))
        let (_, withoutToken) = try await fixture.call(FaultFixture.context(access: token))
        #expect(withoutToken.exchange.fault == nil)
        let (_, recorded) = try await fixture.call(
            FaultFixture.context("me", access: token), bearer: token)
        #expect(recorded.exchange.fault == "wrong key, 1 of 1")
        let sent = fixture.sent.all.last?.headers["Authorization"]
        #expect(sent == "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.aBcDeF0123456789")
    }

    @Test func `a wrong-key fault reverses an opaque token, and the record redacts it`()
        async throws
    {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.wrongKey, times: 1))
        let (_, recorded) = try await fixture.call(
            FaultFixture.context("me", access: "opaque-token-77"), bearer: "opaque-token-77",
            body: #"{"t":"opaque-token-77"}"#)
        #expect(fixture.sent.all.last?.text == #"{"t":"77-nekot-euqapo"}"#)
        #expect(recorded.requestBody.text == #"{"t":"‹token:0›"}"#)
    }

    @Test func `faults that need the embedded backend do not affect a real one`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.accessTokenExpired), .init(.wrongAudience), .init(.refreshTokenReused),
            .init(.mailLost), .init(.clockSkew))
        let (outcome, recorded) = try await fixture.call(
            FaultFixture.context(access: "aaaa.bbbb.cccc", refresh: "rt_1"),
            bearer: "aaaa.bbbb.cccc", body: "rt_1")
        #expect(outcome.status == 200)
        #expect(recorded.exchange.fault == nil)
        #expect(fixture.sent.all.last?.headers["X-Foyer-Ticket"] == nil)
        #expect(fixture.faults.list(in: "main").allSatisfy { $0.appliedCount == 0 })
    }

    @Test func `a refresh token is marked as used before the refresh is sent`() async throws {
        let usedTokens = Mutex<[String]>([])
        let tokenForger = TokenForger(
            baseURL: "http://127.0.0.1:7071", forge: { _, _, _ in nil },
            markRefreshTokenUsed: { token, address in
                usedTokens.withLock {
                    $0.append("\(token) \(address.workspace) \(address.contract)")
                }
            })
        let fixture = try await FaultFixture(tokenForger: tokenForger)
        try await fixture.add(.init(.refreshTokenReused, times: 1))
        try await fixture.call()
        let (_, recorded) = try await fixture.call(
            FaultFixture.context("refresh", refresh: "rt_9"), body: "rt_9")
        #expect(recorded.exchange.fault == "refresh token reused, 1 of 1")
        #expect(usedTokens.withLock { $0 } == ["rt_9 main mystica"])
    }

    @Test func `a fault ticket is sent to the embedded backend and not recorded`() async throws {
        let tokenForger = TokenForger(
            baseURL: "http://127.0.0.1:7071", forge: { _, _, _ in nil },
            markRefreshTokenUsed: { _, _ in })
        let fixture = try await FaultFixture(tokenForger: tokenForger)
        try await fixture.add(.init(.mailLost, times: 1))
        let (_, recorded) = try await fixture.call()
        let ticket = fixture.sent.all.last?.headers["X-Foyer-Ticket"]
        #expect(ticket?.hasPrefix("tkt_") == true)
        #expect(recorded.requestHeaders["X-Foyer-Ticket"] == nil)
        // The fault was not applied, and the ticket is no longer valid.
        #expect(recorded.exchange.fault == nil)
        #expect(fixture.faults.applyFault(.mailLost, ticket: ticket ?? "") == nil)
        #expect(fixture.faults.list(in: "main").map(\.appliedCount) == [0])
    }

    @Test func `an HTTP Archive entry names the applied fault`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 1))
        let (_, recorded) = try await fixture.call()
        let entry = HAR.archive([recorded], version: "0")["log"]?["entries"]?[0]
        #expect(entry?["_foyer"]?["fault"] == "offline, 1 of 1")
    }

    @Test func `exchanges can be filtered to those with an applied fault`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 1))
        let faultedID = try await fixture.call().recorded.exchange.id
        try await fixture.call()
        var query = ExchangeQuery(workspace: "main")
        query.onlyFaulted = true
        let page = try await fixture.store.list(query)
        #expect(page.items.map(\.id) == [faultedID])
        #expect(page.total == 1)
    }
}
