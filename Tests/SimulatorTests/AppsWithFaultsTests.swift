import Core
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Apps with injected faults.
@Suite(.timeLimit(.minutes(10))) struct AppsWithFaultsTests {
    @Test func `an offline fault for 2 calls shows two errors, then the sign-in succeeds`()
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        _ = try await fixture.faults.add([.init(.offline, times: 2)], in: "main")
        for _ in 1...2 {
            _ = try await phone.login()
            let message = try await phone.now.failure?.message
            #expect(message?.contains("No internet connection") == true)
        }
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(1), "refresh-1"))
        #expect(try await phone.login().screen == "map")
        #expect(phone.stub.requests.count == 1)
    }

    @Test func `a fault of another device does not affect this one`() async throws {
        let fixture = try await SimulatorFixture()
        let mine = try await fixture.phone()
        let other = try await fixture.phone()
        _ = try await fixture.faults.add(
            [.init(.offline, device: other.instance.device)], in: "main")
        _ = try await mine.signedIn()
    }

    @Test func `a lost response to a refresh keeps the session`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        _ = try await fixture.faults.add(
            [.init(.reset, call: "refresh", times: 1, phase: .after)], in: "main")
        _ = try await phone.open("map")
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
        let faults = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items
            .compactMap(\.fault)
        #expect(faults == ["connection reset after 200, 1 of 1"])
    }

    @Test func `an app with retries repeats a call while faults return 503`() async throws {
        let fixture = try await SimulatorFixture(skippingSleeps: true)
        let phone = try await fixture.phone("bob")
        _ = try await phone.launch()
        _ = try await fixture.faults.add([.init(.status, times: 2, status: 503)], in: "main")
        phone.stub.always("POST /auth/login", Wire.error(401))
        _ = try await phone.act(
            "login", "submit", ["email": "rowan@example.com", "password": "Sparrow-99!"])
        let page = try await fixture.exchanges.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.fault) == [nil, "status 503, 2 of 2", "status 503, 1 of 2"])
        #expect(page.items.map(\.attempt) == [3, 2, 1])
    }
}
