import Support
import Testing
import Web

@testable import Console

/// Pages of what is not there: no dead ends.
@Suite struct MissingPageTests {
    @Test(arguments: [
        "/traffic/exc_none", "/sessions/ses_none", "/mailbox/mail_none",
        "/accounts/acc_none", "/studio/nowhere", "/nowhere",
        "/traffic?cause=none", "/traffic/diff?a=exc_none&b=exc_none",
    ])
    func `a page that is missing has the console around it`(
        address: String
    ) async throws {
        let house = try await WholeHouse()
        let page = await house.page(address)
        #expect(page.status >= 400)
        #expect(page.text.contains("nav.traffic"))
        #expect(page.text.contains("error.title"))
    }

    @Test func `an app's screen that is missing has no console around it`()
        async throws
    {
        let house = try await WholeHouse()
        let page = await house.page("/apps/nowhere/login")
        #expect(page.status == 404)
        #expect(!page.text.contains("nav.traffic"))
    }

    @Test func `one forgotten by hand says so, and where the rest is`()
        async throws
    {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let id = try await house.exchange()
        _ = await house.submit("/traffic/forget", [], device: device)
        let page = await house.page("/traffic/\(id)")
        #expect(page.status == 404)
        #expect(page.text.contains("This exchange was forgotten"))
        #expect(page.text.contains("forgotten by hand at"))
        #expect(page.text.contains("href=\"/traffic\""))
        let told = await house.ask(.get, "/api/exchanges/\(id)")
        #expect(told.json["type"] == "/problems/forgotten-exchange")
        let studio = await house.page("/studio/mystica", device: device)
        #expect(studio.text.contains("What left was forgotten"))
        #expect(!studio.text.contains("No call has left yet"))
    }
}
