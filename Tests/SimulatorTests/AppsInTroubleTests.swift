import Support
import Surroundings
import Testing
import Traffic
import Web

@testable import Simulator

/// How an app takes trouble on purpose.
@Suite(.timeLimit(.minutes(10))) struct AppsInTroubleTests {
    @Test func `offline for 2 calls is told twice and then signs in`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone()
        _ = try await phone.launch()
        _ = try await house.conditions.add([.init(.offline, times: 2)], in: "main")
        for _ in 1...2 {
            _ = try await phone.login()
            let message = try await phone.now.failure?.message
            #expect(message?.contains("No internet connection") == true)
        }
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(1), "refresh-1"))
        #expect(try await phone.login().screen == "map")
        #expect(phone.stub.requests.count == 1)
    }

    @Test func `a condition of another device leaves this one alone`() async throws {
        let house = try await SimulatorHouse()
        let mine = try await house.phone()
        let other = try await house.phone()
        _ = try await house.conditions.add(
            [.init(.offline, device: other.place.device)], in: "main")
        _ = try await mine.signedIn()
    }

    @Test func `a lost answer to a refresh keeps the session`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        _ = try await house.conditions.add(
            [.init(.reset, call: "refresh", times: 1, phase: .after)], in: "main")
        _ = try await phone.open("map")
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
        let struck = try await house.exchanges.list(ExchangeQuery(workspace: "main")).items
            .compactMap(\.condition)
        #expect(struck == ["connection reset after 200, 1 of 1"])
    }

    @Test func `an app with retries comes back until it is answered`() async throws {
        let house = try await SimulatorHouse(skippingSleeps: true)
        let phone = try await house.phone("bob")
        _ = try await phone.launch()
        _ = try await house.conditions.add([.init(.status, times: 2, status: 503)], in: "main")
        phone.stub.always("POST /auth/login", Wire.error(401))
        _ = try await phone.act(
            "login", "submit", ["email": "rowan@example.com", "password": "Sparrow-99!"])
        let page = try await house.exchanges.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.condition) == [nil, "status 503, 2 of 2", "status 503, 1 of 2"])
        #expect(page.items.map(\.attempt) == [3, 2, 1])
    }
}
