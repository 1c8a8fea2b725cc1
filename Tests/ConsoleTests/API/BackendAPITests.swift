import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BackendAPITests {
    @Test func `every contract reports its base URL`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.get, "/api/backend").json
        #expect(response["base"]?.string == "http://127.0.0.1:7071")
        #expect(
            response["contracts"]?["mystica"]?["base"]?.string
                == "http://127.0.0.1:7071/main/mystica"
        )
        #expect(response["contracts"]?["mystica"]?["root"] == .null)
    }

    @Test func `an unknown contract is reported`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.patch, "/api/backend/nobody", json: ["switches": [:]])
        #expect(response.status == 404)
        #expect(response.json["type"]?.string == "/problems/unknown-contract")
    }

    @Test func `an unknown switch is reported by name`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(
            .patch, "/api/backend/mystica", json: ["switches": ["nothing": true]])
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == "/switches/nothing")
    }
}
