import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BadInputAPITests {
    @Test(arguments: [("to=", "is empty"), ("to=nora+a@example.com", "%2B")])
    func `an empty or unencoded recipient filter is rejected`(_ query: String, _ reason: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        for path in ["/api/mailbox", "/api/mailbox/wait"] {
            let response = await fixture.ask(.get, "\(path)?\(query)")
            #expect(response.status == 400)
            #expect(response.json["errors"]?[0]?["parameter"] == "to")
            #expect(response.json["errors"]?[0]?["detail"]?.string?.contains(reason) == true)
        }
    }

    @Test func `operations without fields reject a field by name`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for path in [
            "/api/devices/\(device)/apps/mystica/relaunch", "/api/sessions/ses_1/refresh",
            "/api/reset",
        ] {
            let response = await fixture.ask(.post, path, json: ["kill": true])
            #expect(response.status == 400)
            #expect(response.json["errors"]?[0]?["pointer"] == "/kill")
        }
    }
}
