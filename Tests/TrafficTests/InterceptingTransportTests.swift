import Core
import Crypto
import SQLite
import Support
import Testing
import Web

@testable import Traffic

/// Requests that rules pause and answer, from the sender to the record.
@Suite(.timeLimit(.minutes(10))) struct InterceptingTransportTests {
    /// A fixture with one rule.
    private func fixture(
        _ draft: TrafficRule.Draft,
        respond: @escaping @Sendable (OutboundRequest) -> ExchangeResult.Outcome = { _ in
            TrafficFixture.ok(#"{"done":true}"#)
        }
    ) async throws -> (FaultFixture, TrafficRule) {
        let fixture = try await FaultFixture(skippingSleeps: false, respond: respond)
        return (fixture, try await fixture.rules.add(draft, in: "main"))
    }

    private static func context(_ passwords: [String] = []) -> ExchangeContext {
        var context = FaultFixture.context()
        context.baseURL = "http://127.0.0.1:7071/main/mystica/api/v1"
        context.passwords = passwords
        return context
    }

    /// Sends a call, and decides about it once it is paused.
    private func call(
        _ fixture: FaultFixture, _ passwords: [String] = [], body: String = "{}",
        decide: (PausedExchange) async throws -> Void
    ) async throws -> (outcome: ExchangeResult.Outcome, recorded: ExchangeDetail) {
        async let ended = fixture.call(
            Self.context(passwords), bearer: "opaque-token-1", body: body)
        let paused = try await fixture.rules.waitForPaused(in: "main", timeout: .seconds(60))
        try await decide(try #require(paused))
        return try await ended
    }

    @Test func `a paused request is sent as edited, and its original is recorded`() async throws {
        let (fixture, rule) = try await fixture(.init(.pauseRequest, .init(path: "/auth/*")))
        let (outcome, recorded) = try await call(
            fixture, ["correct horse"], body: #"{"password":"correct horse","a":1}"#
        ) { paused in
            #expect(fixture.sent.all.isEmpty)
            #expect(paused.path == "/auth/login" && paused.phase == .request)
            #expect(paused.request.body == #"{"password":"‹password›","a":1}"#)
            #expect(paused.request.fields.last?.value == "Bearer ‹token:0›")
            var edit = PausedExchange.Edit()
            edit.method = "PUT"
            edit.path = "/auth/other?x=1"
            edit.body = #"{"password":"‹password›","a":2}"#
            try fixture.rules.resume(paused.id, in: "main", with: edit)
        }
        #expect(outcome.status == 200)
        let sent = try #require(fixture.sent.all.first)
        #expect(sent.method == .put)
        #expect(sent.url == "http://127.0.0.1:7071/main/mystica/api/v1/auth/other?x=1")
        #expect(
            String(decoding: sent.body, as: UTF8.self) == #"{"password":"correct horse","a":2}"#)
        #expect(recorded.exchange.method == "PUT")
        #expect(recorded.requestBody.text == #"{"password":"‹password›","a":2}"#)
        #expect(recorded.originalRequest.method == "POST")
        #expect(recorded.originalRequest.url?.hasSuffix("/auth/login") == true)
        #expect(recorded.originalRequest.body?.text == #"{"password":"‹password›","a":1}"#)
        #expect(recorded.originalRequest.headers == nil)
        let applied = try #require(recorded.exchange.rules.first)
        #expect(applied.id == rule.id && applied.outcome == .edited)
        #expect(applied.edited == [.method, .path, .body])
        let kinds = fixture.hub.events(in: "main", after: 0).map(\.kind)
        #expect(kinds == [.ruleChanged, .exchangePaused, .exchangeContinued, .exchangeEnded])
    }

    @Test func `a paused response is received as edited`() async throws {
        let (fixture, _) = try await fixture(.init(.pauseResponse)) { _ in
            TrafficFixture.ok(#"{"access_token":"opaque-token-2"}"#)
        }
        let (outcome, recorded) = try await call(fixture) { paused in
            #expect(paused.phase == .response && fixture.sent.all.count == 1)
            #expect(paused.response?.message.body == #"{"access_token":"‹token:0›"}"#)
            var edit = PausedExchange.Edit()
            edit.status = 503
            edit.headers = [.init(name: "Retry-After", value: "5")]
            edit.body = #"{"was":"‹token:0›"}"#
            try fixture.rules.resume(paused.id, in: "main", with: edit)
        }
        let response = try #require(outcome.response)
        #expect(response.status == 503 && response.headers["Retry-After"] == "5")
        #expect(response.headers["Content-Length"] == "24")
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"was":"opaque-token-2"}"#)
        #expect(recorded.exchange.status == 503)
        #expect(recorded.originalResponse.status == 200)
        #expect(recorded.originalResponse.body?.text?.contains("‹token:") == true)
        #expect(recorded.exchange.ruleLabel == "Intercepted, response edited")
    }

    @Test func `an aborted request fails and is not sent`() async throws {
        let (fixture, _) = try await fixture(.init(.pauseRequest))
        let (outcome, recorded) = try await call(fixture) { paused in
            try fixture.rules.abort(paused.id, in: "main")
            #expect(throws: Problem.self) { try fixture.rules.resume(paused.id, in: "main") }
        }
        #expect(outcome.failure == .connection && fixture.sent.all.isEmpty)
        #expect(recorded.exchange.ruleLabel == "Intercepted, aborted")
    }

    @Test func `a paused request continues unchanged after the time-out`() async throws {
        let (fixture, _) = try await fixture(.init(.pauseRequest, timeout: 5))
        let (outcome, recorded) = try await call(fixture) { _ in
            #expect(await eventually { fixture.frozen.wakes(in: 5...5) })
            fixture.frozen.advance(by: 5)
        }
        #expect(outcome.status == 200)
        let applied = try #require(recorded.exchange.rules.first)
        #expect(applied.outcome == .timedOut && applied.pausedFor == 5_000)
        #expect(recorded.exchange.timings.total == 2)
    }

    @Test(arguments: ["off", "deleted", "reset", "closed"])
    func `a paused request continues when its rule ends`(_ end: String) async throws {
        let (fixture, rule) = try await fixture(.init(.pauseRequest))
        let (outcome, recorded) = try await call(fixture) { _ in
            switch end {
            case "off":
                var draft = rule.draft
                draft.isOn = false
                _ = try await fixture.rules.update(rule, to: draft)
            case "deleted": try await fixture.rules.remove(in: "main")
            case "reset": try await fixture.rules.clear(workspace: "main")
            default: fixture.rules.close()
            }
        }
        #expect(outcome.status == 200)
        #expect(recorded.exchange.rules.first?.outcome == .released)
    }

    @Test func `a client that disconnects ends its wait`() async throws {
        let (fixture, _) = try await fixture(.init(.pauseRequest))
        let task = Task { try await fixture.call(Self.context()) }
        _ = try await fixture.rules.waitForPaused(in: "main", timeout: .seconds(60))
        task.cancel()
        let (outcome, recorded) = try await task.value
        #expect(outcome.failure == .cancelled && fixture.sent.all.isEmpty)
        #expect(recorded.exchange.rules.first?.outcome == .disconnected)
        #expect(fixture.rules.paused(in: "main").isEmpty)
    }

    @Test func `an invalid edit names each wrong part and keeps the request paused`() async throws {
        let (fixture, _) = try await fixture(.init(.pauseRequest))
        _ = try await call(fixture) { paused in
            var edit = PausedExchange.Edit()
            edit.method = "put"
            edit.path = "/auth/../../admin"
            edit.headers = [.init(name: "a b", value: "1")]
            edit.body = "‹token:7›"
            edit.status = 200
            let problem = #expect(throws: Problem.self) {
                try fixture.rules.resume(paused.id, in: "main", with: edit)
            }
            #expect(
                problem?.errors.map(\.pointer) == [
                    "/status", "/method", "/path", "/headers/0", "/body",
                ])
            #expect(fixture.rules.paused(in: "main").count == 1)
            try fixture.rules.resume(paused.id, in: "main")
        }
    }

    @Test func `a mapped request is not sent, and no fault applies to it`() async throws {
        let (fixture, rule) = try await fixture(
            .init(
                .respond, .init(call: "login"),
                response: .init(
                    status: 418, headers: ["Content-Type": "text/plain"], body: Array("tea".utf8))))
        try await fixture.add(.init(.offline))
        let (outcome, recorded) = try await fixture.call(Self.context())
        #expect(outcome.response?.status == 418 && fixture.sent.all.isEmpty)
        #expect(outcome.response?.headers["X-Foyer-Rule"] == rule.id)
        #expect(recorded.responseBody.text == "tea" && recorded.exchange.fault == nil)
        #expect(recorded.exchange.ruleLabel == "Mapped response")
        let other = try await fixture.call(FaultFixture.context("me"))
        #expect(other.outcome.failure == .nameLookup)
    }

    @Test func `rules survive a restart in their order, with sealed responses`() async throws {
        let (fixture, first) = try await fixture(
            .init(.pauseRequest, .init(path: "/a"), isOn: false))
        let second = try await fixture.rules.add(
            .init(
                .respond, .init(method: "GET", host: "h", app: "bob", device: "dev_1", call: "me"),
                response: .init(
                    status: 201, headers: ["A": "1"], body: [0, 255], fileName: "a.bin")),
            in: "main")
        try await fixture.rules.move(second, to: 0)
        let again = try await RuleStore(
            database: fixture.database, sealer: Sealer(key: Array(repeating: 7, count: 32)),
            world: fixture.frozen.world, hub: fixture.hub)
        #expect(again.list(in: "main").map(\.id) == [second.id, first.id])
        #expect(again.list(in: "main").map(\.draft) == [second.draft, first.draft])
        #expect(again.workspaces() == ["main"] && !again.isEmpty)
        let stored = try await fixture.database.read { connection in
            try connection.text("SELECT response FROM rules WHERE id = ?", [.text(second.id)])
        }
        #expect(stored?.contains("a.bin") == false)
    }
}
