import Support
import Testing
import Web

@testable import Console

/// Local programs may use the proxy; pages of other origins may not.
@Suite(.timeLimit(.minutes(10))) struct ProxyAccessTests {
    private func send(_ headers: [(String, String)], method: Method = .get) async throws
        -> Response
    {
        let fixture = try await FoyerFixture { _ in
            .responded(
                UpstreamResponse(
                    status: 200, headers: ["Content-Type": "text/html"],
                    body: Array("<script>".utf8)))
        }
        let fields = [("Host", "127.0.0.1:7070")] + headers
        return await fixture.site.responder(
            Request(
                method: method, target: "/proxy/main/mystica/x",
                headers: Headers(fields.map { Headers.Field(name: $0.0, value: $0.1) })))
    }

    @Test func `an app needs no key`() async throws {
        let response = try await send([("Authorization", "Bearer its-own")])
        #expect(response.status == 200)
        // The backend's response without the console's headers.
        #expect(response.headers["Content-Security-Policy"] == nil)
        #expect(response.headers["Cache-Control"] == nil)
    }

    @Test func `a request with the console's key in Authorization is refused`() async throws {
        let response = try await send([("Authorization", "Bearer \(FoyerFixture.key)")])
        #expect(response.status == 400)
    }

    private static let foreignPages: [[(String, String)]] = [
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
        [("Sec-Fetch-Site", "odd")],
        [("Origin", "https://evil.example")],
        [("Origin", "http://127.0.0.1:9999")],
        [("Origin", "null")],
        [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Dest", "script")],
        [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Dest", "iframe")],
        [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Dest", "serviceworker")],
    ]

    @Test(arguments: foreignPages) func `a page of another origin cannot use the proxy`(
        _ headers: [(String, String)]
    ) async throws {
        for method in [Method.get, .post, .options] {
            let response = try await send(headers, method: method)
            #expect(response.status == 403)
            #expect(response.headers["X-Foyer-Exchange"] == nil)
            // The key does not give a page access either.
            let withKey = try await send(
                headers + [("X-Foyer-Key", FoyerFixture.key)], method: method)
            #expect(withKey.status == 403)
        }
    }

    @Test func `a rebound host name is refused`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.site.responder(
            Request(
                method: .get, target: "/proxy/main/mystica/x",
                headers: ["Host": "evil.example:7070"]))
        #expect(response.status == 421)
    }

    @Test func `a proxied page that a browser opens is sandboxed`() async throws {
        let response = try await send([("Sec-Fetch-Site", "none"), ("Sec-Fetch-Dest", "document")])
        #expect(response.status == 200)
        #expect(response.headers.all("Content-Security-Policy") == ["sandbox"])
    }

    @Test func `the console's key and cookies are not forwarded`() async throws {
        let forwarded = LatestValue()
        let fixture = try await FoyerFixture { request in
            forwarded.set(request)
            return .responded(UpstreamResponse(status: 204))
        }
        _ = await fixture.site.responder(
            Request(
                method: .get, target: "/proxy/main/mystica/x",
                headers: [
                    "Host": "127.0.0.1:7070", "X-Foyer-Key": FoyerFixture.key,
                    "Cookie": "foyer_key_7070=secret; theirs=1; foyer_x=2",
                ]))
        let headers = forwarded.value?.headers ?? [:]
        #expect(headers["X-Foyer-Key"] == nil)
        #expect(headers.all("Cookie") == ["theirs=1"])
    }
}
