import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BadInputAPITests {
    @Test(arguments: [("to=", "is empty"), ("to=nora+a@example.com", "%2B")])
    func `an address that cannot be meant is told at once`(_ query: String, _ reason: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        for path in ["/api/mailbox", "/api/mailbox/wait"] {
            let answer = await fixture.ask(.get, "\(path)?\(query)")
            #expect(answer.status == 400)
            #expect(answer.json["errors"]?[0]?["pointer"] == "?to")
            #expect(answer.json["errors"]?[0]?["detail"]?.string?.contains(reason) == true)
        }
    }

    @Test func `calls without fields name a field they get`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for path in [
            "/api/devices/\(device)/apps/mystica/relaunch", "/api/sessions/ses_1/refresh",
            "/api/reset",
        ] {
            let answer = await fixture.ask(.post, path, json: ["kill": true])
            #expect(answer.status == 400)
            #expect(answer.json["errors"]?[0]?["pointer"] == "/kill")
        }
    }
}
