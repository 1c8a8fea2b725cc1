import Console
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct SiteTests {
    /// The proxy has its own rule, which `ProxyAccessTests` covers.
    @Test
    func `every route except health, the OpenAPI document, files and the proxy requires the key`()
        async throws
    {
        let fixture = try await FoyerFixture()
        for route in fixture.site.routes {
            let target =
                "/"
                + route.pattern.split(separator: "/").map { $0.hasPrefix("{") ? "x" : String($0) }
                .joined(separator: "/")
            let response = await fixture.site.responder(
                Request(
                    method: route.method, target: target,
                    headers: ["Host": "127.0.0.1:7070", "Sec-Fetch-Site": "same-origin"]))
            let isOpen =
                ["/health", "/api/openapi.json", "/api/docs"].contains(target)
                || target.hasPrefix("/assets/") || target.hasPrefix("/clients/")
                || target.hasPrefix("/proxy/")
            #expect(
                (response.status == 401) != isOpen,
                "\(route.method.rawValue) \(target) \(response.status)")
        }
    }

    @Test func `every response carries the security headers`() async throws {
        let fixture = try await FoyerFixture()
        for target in ["/health", "/nowhere", "/api/nowhere", "/%zz"] {
            let response = await fixture.ask(.get, target)
            #expect(
                response.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true,
                "\(target)")
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
            #expect(response.headers["Referrer-Policy"] == "no-referrer")
        }
    }

    @Test(arguments: [
        ("foyer.py", "text/x-python; charset=utf-8", "class Foyer:"),
        ("foyer.ts", "text/typescript; charset=utf-8", "export class Foyer {"),
    ])
    func `the API's clients are served as source text without the key`(
        name: String, type: String, line: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.site.responder(
            Request(
                method: .get, target: "/clients/\(name)", headers: ["Host": "127.0.0.1:7070"]))
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == type)
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        #expect(response.text.contains("\n\(line)\n"))
        #expect(await fixture.ask(.get, "/clients/foyer.rb").status == 404)
        #expect(await fixture.page("/workspaces").text.contains("href=\"/clients/\(name)\""))
    }

    @Test func `an unknown URL is a page for browsers and JSON for API clients`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/nowhere")
        #expect(page.status == 404)
        #expect(page.text.contains("Page not found"))
        let script = await fixture.ask(.get, "/api/nowhere")
        #expect(script.status == 404)
        #expect(script.headers["Content-Type"] == "application/problem+json")
        #expect(script.json["type"] == "/problems/not-found")
    }

    @Test func `a browser without the key gets a page that explains how to enter it`() async throws
    {
        let fixture = try await FoyerFixture()
        let response = await fixture.site.responder(
            Request(
                method: .get, target: "/studio/mystica",
                headers: [
                    "Host": "127.0.0.1:7070", "Accept": "text/html", "Sec-Fetch-Site": "none",
                ]))
        #expect(response.status == 401)
        #expect(response.text.contains("?key="))
    }
}
