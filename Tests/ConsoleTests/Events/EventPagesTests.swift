import Support
import Surroundings
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct EventPagesTests {
    @Test func `a stored value leads to the exchange that brought it`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let written = try #require(house.hub.events(in: "main").last { $0.kind == .stored })
        let page = await house.page("/events/\(written.id)", device: device)
        #expect(page.status == 200)
        let exchange = try #require(house.hub.events(in: "main").first { $0.id == written.cause })
        #expect(page.text.contains("/traffic/\(exchange.subject ?? "-")"))
    }

    @Test func `a mail leads to the call it was sent for, and back`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        // However far the clock is from the real time.
        await house.succeed(.patch, "/api/clock", json: ["advance": 86_400])
        let exchange = try await house.exchange("call=register")
        let mail = try #require(house.hub.events(in: "main").first { $0.kind == .mail }?.subject)
        let letter = await house.page("/mailbox/\(mail)", device: device)
        #expect(letter.text.contains("/traffic/\(exchange)"))
        let call = await house.page("/traffic/\(exchange)", device: device)
        #expect(call.text.contains("/mailbox/\(mail)"))
    }

    @Test(arguments: ["0", "99999999", "x"]) func `an event nobody kept is told`(id: String)
        async throws
    {
        let house = try await WholeHouse()
        let page = await house.page("/events/\(id)")
        #expect(page.status == 404)
        #expect(page.text.contains("that is still kept has the id \(id)."))
    }
}
