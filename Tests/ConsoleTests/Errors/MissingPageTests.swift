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

    @Test(arguments: [
        ("/sessions/ses_none", "/sessions"), ("/mailbox/mail_none", "/mailbox"),
        ("/accounts/acc_none", "/accounts"), ("/studio/nowhere", "/"),
        ("/snapshots/snap_none/delete", "/snapshots"),
    ])
    func `a page that is missing leads to the list, and the API to its call`(
        address: String, list: String
    ) async throws {
        let house = try await WholeHouse()
        let page = await house.page(address)
        #expect(page.status == 404)
        #expect(
            page.text.contains("<a href=\"\(list)\" data-testid=\"error.mend\">"))
        #expect(!page.text.contains("/api/"))
        let told = await house.ask(.get, "/api\(address)")
        if told.json["type"] != "/problems/not-found" {
            #expect(
                told.json["detail"]?.string?.contains("GET /api/") == true,
                "\(told.json)")
        }
    }

    @Test func `what the server refuses is a page to who looks at pages`()
        async throws
    {
        let house = try await WholeHouse()
        let problem = Problem(
            status: 413, code: "body-too-large", title: "Too large",
            detail: "At most 4 bytes.", headers: ["Connection": "close"])
        func answer(_ target: String) -> Response {
            house.site.refuse(
                problem,
                Request(
                    method: .post, target: target,
                    headers: ["Accept": "text/html,*/*;q=0.8"]))
        }
        let page = answer("/traffic/import")
        #expect(page.status == 413)
        #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(page.headers["Content-Security-Policy"] != nil)
        #expect(page.headers["Connection"] == "close")
        guard case .bytes(let bytes) = page.body else {
            Issue.record("no page")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("At most 4 bytes."))
        #expect(text.contains("Go back and send less"))
        #expect(text.contains("href=\"/\""))
        // Nobody was let in yet.
        #expect(!text.contains("nav.traffic"))
        let api = answer("/api/exchanges/import")
        #expect(api.headers["Content-Type"] == "application/problem+json")
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
