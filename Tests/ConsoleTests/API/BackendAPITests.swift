import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BackendAPITests {
    @Test func `every contract tells where it is`() async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.ask(.get, "/api/backend").json
        #expect(answer["base"]?.string == "http://127.0.0.1:7071")
        #expect(
            answer["contracts"]?["mystica"]?["base"]?.string == "http://127.0.0.1:7071/main/mystica"
        )
        #expect(answer["contracts"]?["mystica"]?["root"] == .null)
    }

    @Test func `a contract nobody knows is told`() async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.ask(.patch, "/api/backend/nobody", json: ["switches": [:]])
        #expect(answer.status == 404)
        #expect(answer.json["type"]?.string == "/problems/unknown-contract")
    }

    @Test func `a switch nobody knows is told by name`() async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.ask(
            .patch, "/api/backend/mystica", json: ["switches": ["nothing": true]])
        #expect(answer.status == 400)
        #expect(answer.json["errors"]?[0]?["pointer"]?.string == "/switches/nothing")
    }
}
