import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BackendPagesTests {
    @Test func `a contract's page has its addresses, keys, switches, endpoints and clients`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let settings = await fixture.ask(.get, "/api/backend").json
        let key = settings["clients"]?["supabase"]?["anonKey"]?.string ?? "none"
        #expect(await fixture.page("/backend").text.contains("/backend/socoto"))
        let page = await fixture.page("/backend/socoto").text
        for text in [key, "confirmEmail", "/auth/v1/token", "create_client("] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(await fixture.page("/backend/nothing").status == 404)
    }

    @Test func `a switch is turned off and on from the page`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        func isOn() async -> Bool? {
            await fixture.ask(.get, "/api/backend").json["contracts"]?["socoto"]?["switches"]?[
                "confirmEmail"]?["on"]?.bool
        }
        for value in [false, true] {
            let response = await fixture.submit(
                "/backend/socoto/switches/confirmEmail", [("on", "\(value)")], device: device)
            #expect(response.location == "/backend/socoto")
            #expect(await isOn() == value)
        }
        let unknown = await fixture.submit(
            "/backend/socoto/switches/nothing", [("on", "true")], device: device)
        #expect(unknown.status == 404)
    }
}
