import Support
import Testing
import Web

@testable import Console

/// Error pages, which always link back to an existing page.
@Suite(.timeLimit(.minutes(10))) struct MissingPageTests {
    @Test(arguments: [
        "/traffic/exc_none", "/sessions/ses_none", "/mailbox/mail_none",
        "/accounts/acc_none", "/studio/nowhere", "/nowhere",
        "/traffic?cause=none", "/traffic/diff?a=exc_none&b=exc_none",
    ])
    func `an error page keeps the console navigation`(
        address: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(address)
        #expect(page.status >= 400)
        #expect(page.text.contains("nav.traffic"))
        #expect(page.text.contains("error.title"))
    }

    @Test(arguments: [
        ("partially-restored", 404, Method.post, "Partially completed."),
        ("partially-restored", 500, .post, "Partially completed."),
        ("app-killed", 409, .post, "It may be partially completed."),
        ("app-killed", 409, .get, "No changes were made."),
        ("unknown-session", 404, .post, "No changes were made."),
        ("bad-input", 422, .post, "No changes were made."),
        ("broken", 500, .post, "No stored data was lost."),
    ]) func `an error page states whether anything was changed`(
        code: String, status: Int, method: Method, message: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let pages = ProblemPages(services: fixture.site.services)
        let request = Request(method: method, target: "/sessions", headers: ["Accept": "text/html"])
        let response = await pages.respond(
            Problem(status: status, code: code, title: "No", detail: "No."), to: request,
            of: RequestContext(
                request: request, target: try RequestTarget(parsing: "/sessions"),
                cookies: Cookies(Headers()), authentication: .notRequired))
        #expect(response.text.contains(message))
    }

    @Test func `an unknown app's screen gets an error page without console navigation`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/apps/nowhere/login")
        #expect(page.status == 404)
        #expect(page.text.contains("Unknown app"))
        #expect(!page.text.contains("nav.traffic"))
    }

    @Test(arguments: [
        ("/sessions/ses_none", "/sessions"), ("/mailbox/mail_none", "/mailbox"),
        ("/accounts/acc_none", "/accounts"), ("/studio/nowhere", "/"),
        ("/snapshots/snap_none/delete", "/snapshots"),
    ]) func `an unknown record's page links to its list, and the API names the call`(
        address: String, list: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(address)
        #expect(page.status == 404)
        #expect(page.text.contains("<a href=\"\(list)\" data-testid=\"error.fix\">"))
        // But the link to the documentation.
        #expect(!page.text.replacing("/api/docs", with: "").contains("/api/"))
        let apiResponse = await fixture.ask(.get, "/api\(address)")
        if apiResponse.json["type"] != "/problems/not-found" {
            #expect(
                apiResponse.json["detail"]?.string?.contains("GET /api/") == true,
                "\(apiResponse.json)")
        }
    }

    @Test(arguments: [
        ("/studio/mystica/restore?event=999999", "/studio/mystica", "studio"),
        ("/studio/mystica/clear?part=cellar", "/studio/mystica", "studio"),
        ("/traffic/clear?part=cellar", "/traffic", "traffic"),
    ]) func `a rejected form or confirmation links back to its page`(
        address: String, back: String, name: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(address)
        #expect(page.status == 404)
        #expect(
            page.text.contains("<a href=\"\(back)\" data-testid=\"error.back\">Back to \(name)</a>")
        )
        let unknownApp = await fixture.page("/studio/nowhere")
        #expect(!unknownApp.text.contains("error.back"))
    }

    @Test func `comparing a single exchange links back to the list`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/traffic/diff?pick=exc_one")
        #expect(page.status == 400)
        #expect(page.text.contains("<a href=\"/traffic\" data-testid=\"error.fix\">"))
    }

    @Test func `a request the server rejects early gets an HTML page in a browser`() async throws {
        let fixture = try await FoyerFixture()
        let problem = Problem(
            status: 413, code: "body-too-large", title: "Too large", detail: "At most 4 bytes.",
            headers: ["Connection": "close"])
        func reject(_ target: String) -> Response {
            fixture.site.rejectionResponder(
                problem,
                Request(method: .post, target: target, headers: ["Accept": "text/html,*/*;q=0.8"]))
        }
        let page = reject("/traffic/import")
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
        // The client is not authenticated yet.
        #expect(!text.contains("nav.traffic"))
        let api = reject("/api/exchanges/import")
        #expect(api.headers["Content-Type"] == "application/problem+json")
    }

    @Test func `a manually cleared exchange says so and links to the list`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let id = try await fixture.exchange()
        await fixture.submitSuccessfully("/traffic/clear", [], device: device)
        let page = await fixture.page("/traffic/\(id)")
        #expect(page.status == 404)
        #expect(page.text.contains("This request was deleted"))
        #expect(page.text.contains("Traffic was cleared at"))
        #expect(page.text.contains("href=\"/traffic\""))
        let apiResponse = await fixture.ask(.get, "/api/exchanges/\(id)")
        #expect(apiResponse.json["type"] == "/problems/deleted-exchange")
        let studio = await fixture.page("/studio/mystica", device: device)
        #expect(studio.text.contains("Requests were cleared"))
        #expect(!studio.text.contains("No requests yet"))
    }
}
