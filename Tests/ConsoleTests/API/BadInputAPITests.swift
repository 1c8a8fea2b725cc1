import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BadInputAPITests {
    @Test(arguments: [("to=", "is empty"), ("to=nora+a@example.com", "%2B")])
    func `an address that cannot be meant is told at once`(_ query: String, _ why: String)
        async throws
    {
        let house = try await WholeHouse()
        for path in ["/api/mailbox", "/api/mailbox/wait"] {
            let answer = await house.ask(.get, "\(path)?\(query)")
            #expect(answer.status == 400)
            #expect(answer.json["errors"]?[0]?["pointer"] == "?to")
            #expect(answer.json["errors"]?[0]?["detail"]?.string?.contains(why) == true)
        }
    }

    @Test func `calls without fields name a field they get`() async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        for path in [
            "/api/devices/\(device)/apps/mystica/relaunch", "/api/sessions/ses_1/refresh",
            "/api/reset",
        ] {
            let answer = await house.ask(.post, path, json: ["kill": true])
            #expect(answer.status == 400)
            #expect(answer.json["errors"]?[0]?["pointer"] == "/kill")
        }
    }
}
