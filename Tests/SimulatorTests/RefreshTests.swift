import Core
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Access tokens that expire during use.
@Suite(.timeLimit(.minutes(10))) struct RefreshTests {
    @Test func `MYS-07, MYS-22 a 401 causes one refresh and one retry, without an error`()
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(401), Wire.me)
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let map = try #require(try await phone.open("map").shown)
        #expect(map.availableValues["user"] != nil)
        #expect(map.failure == nil)
        let calls = phone.stub.requests.dropFirst().map(\.bearer)
        #expect(calls == [Wire.token(1), nil, Wire.token(2)])
        #expect(
            phone.stub.sent("POST /auth/refresh")[0].text == #"{"refresh_token":"refresh-token-1"}"#
        )
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-2")
        let session = try #require(try await phone.now.session)
        #expect(session.refreshCount == 1)
        let history = try await fixture.simulator.history(ofSession: session.id, in: "main")
        #expect(history.map(\.kind) == ["signedIn", "refreshed"])
        #expect(history.map(\.generation) == [1, 2])
        let page = try await fixture.exchanges.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.cause) == [.retry, .refresh, .load, .submit])
    }

    @Test(arguments: [400, 401, 403])
    func `MYS-08, MYS-22 a rejected refresh clears the storage and shows the login`(_ status: Int)
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.error(status))
        #expect(try await phone.open("map").redirected == "login")
        let login = try #require(try await phone.open("login").shown)
        #expect(login.failure?.message == "Session expired. Please login again.")
        #expect(try await phone.stored.isEmpty)
        let session = try #require(try await fixture.allSessions().first)
        #expect(session.state == .revoked)
        #expect(session.endedAt == fixture.frozen.now)
    }

    @Test func `MYS-45 N parallel 401s cause exactly one refresh`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let run = ActionRun(try await fixture.simulator.context(phone.instance), .load)
        let latch = Latch()
        phone.stub.always(
            "GET /auth/me",
            .made { request in
                request.bearer == Wire.token(1) ? .held(latch, Wire.error(401)) : Wire.me
            })
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let count = 20
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    var run = run
                    let result = try await fixture.simulator.performCall("me", &run)
                    if case .success = result { return true }
                    return false
                }
            }
            #expect(await eventually { latch.waiting == count })
            latch.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: true, count: count))
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
        #expect(phone.stub.sent("GET /auth/me").count == 2 * count)
    }

    @Test func `a 401 for a token that was replaced meanwhile needs no refresh`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let latch = Latch()
        phone.stub.always(
            "GET /auth/me",
            .made { request in
                request.bearer == Wire.token(1) ? .held(latch, Wire.error(401)) : Wire.me
            })
        async let map = phone.open("map")
        #expect(await eventually { latch.waiting == 1 })
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let id = try #require(try await phone.now.session?.id)
        let refreshed = try await fixture.simulator.refresh(session: id, in: "main")
        #expect(refreshed.refreshCount == 1)
        latch.open()
        #expect(try await map.shown?.availableValues["user"] != nil)
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
    }

    @Test func `MYS-21, MYS-45 a 401 for a refreshed token asks to verify and keeps the tokens`()
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(401), Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        #expect(try await phone.open("map").redirected == "verify")
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
        #expect(phone.stub.sent("GET /auth/me").count == 2)
        let verify = try #require(try await phone.open("verify").shown)
        #expect(verify.failure?.message == "Please verify your email")
        #expect(verify.availableValues["email"] == "rowan@mystica.app")
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-2")
        // The link was followed meanwhile.
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.launch().screen == "map")
    }

    @Test(arguments: [
        StubTransport.Reply.failure(.connection), .failure(.timeout), Wire.error(500),
        Wire.error(429), .json(200, "{}"),
    ]) func `an inconclusive refresh keeps the tokens`(_ reply: StubTransport.Reply)
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", reply)
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "splash", succeeded: false))
        #expect(try await phone.now.failure != nil)
        #expect(try await phone.stored.count == 3)
        #expect(try await phone.now.session?.state == .active)
    }

    @Test func `without a refresh token a 401 ends the session`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.deleteItem(phone.instance, key: "mystica_refresh_token")
        phone.stub.script("GET /auth/me", Wire.error(401))
        #expect(try await phone.open("map").redirected == "login")
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
    }

    @Test func `MYS-45 a wrong password causes no refresh`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401))
        _ = try await phone.login()
        #expect(phone.stub.requests.count == 1)
    }
}
