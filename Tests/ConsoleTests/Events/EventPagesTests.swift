import Core
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct EventPagesTests {
    @Test func `a storage event links to the exchange that caused it`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let written = try #require(
            fixture.hub.events(in: "main").last { $0.kind == .storageWritten })
        let page = await fixture.page("/events/\(written.id)", device: device)
        #expect(page.status == 200)
        let exchange = try #require(fixture.hub.events(in: "main").first { $0.id == written.cause })
        #expect(page.text.contains("/traffic/\(exchange.subject ?? "-")"))
    }

    @Test func `a mail links to the call that sent it, and the call links back`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        // The links do not depend on the offset of the workspace clock.
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 86_400])
        let exchange = try await fixture.exchange("call=register")
        let mail = try #require(
            fixture.hub.events(in: "main").first { $0.kind == .mailReceived }?.subject)
        let mailPage = await fixture.page("/mailbox/\(mail)", device: device)
        #expect(mailPage.text.contains("/traffic/\(exchange)"))
        let exchangePage = await fixture.page("/traffic/\(exchange)", device: device)
        #expect(exchangePage.text.contains("/mailbox/\(mail)"))
    }

    @Test(arguments: ["0", "99999999", "x"]) func `an unknown event id returns 404`(id: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/events/\(id)")
        #expect(page.status == 404)
        #expect(page.text.contains("No stored event of this workspace has the id \(id)."))
    }
}
