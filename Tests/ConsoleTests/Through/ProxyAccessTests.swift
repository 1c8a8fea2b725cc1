import Support
import Testing
import Web

@testable import Console

/// Programs of this machine may have calls passed through; pages may not.
@Suite(.timeLimit(.minutes(10))) struct ProxyAccessTests {
    private func ask(_ headers: [(String, String)], by method: Method = .get) async throws
        -> Response
    {
        let fixture = try await FoyerFixture { _ in
            .responded(
                UpstreamResponse(
                    status: 200, headers: ["Content-Type": "text/html"],
                    body: Array("<script>".utf8)))
        }
        let all = [("Host", "127.0.0.1:7070")] + headers
        return await fixture.site.responder(
            Request(
                method: method, target: "/through/main/mystica/x",
                headers: Headers(all.map { Headers.Field(name: $0.0, value: $0.1) })))
    }

    @Test func `an app needs no key`() async throws {
        let answer = try await ask([("Authorization", "Bearer its-own")])
        #expect(answer.status == 200)
        // As the backend sent it: none of the console's headers.
        #expect(answer.headers["Content-Security-Policy"] == nil)
        #expect(answer.headers["Cache-Control"] == nil)
    }

    @Test func `the console's own key is not handed on`() async throws {
        let answer = try await ask([("Authorization", "Bearer \(FoyerFixture.key)")])
        #expect(answer.status == 400)
    }

    private static let refused: [[(String, String)]] = [
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

    @Test(arguments: refused) func `a page of another origin cannot have calls passed through`(
        _ headers: [(String, String)]
    ) async throws {
        for method in [Method.get, .post, .options] {
            let answer = try await ask(headers, by: method)
            #expect(answer.status == 403)
            #expect(answer.headers["X-Foyer-Exchange"] == nil)
            // Nor does another's key help a page.
            let withKey = try await ask(headers + [("X-Foyer-Key", FoyerFixture.key)], by: method)
            #expect(withKey.status == 403)
        }
    }

    @Test func `a rebound name is refused`() async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.site.responder(
            Request(
                method: .get, target: "/through/main/mystica/x",
                headers: ["Host": "evil.example:7070"]))
        #expect(answer.status == 421)
    }

    @Test func `what a browser opens there runs nothing of ours`() async throws {
        let answer = try await ask([("Sec-Fetch-Site", "none"), ("Sec-Fetch-Dest", "document")])
        #expect(answer.status == 200)
        #expect(answer.headers.all("Content-Security-Policy") == ["sandbox"])
    }

    @Test func `the console's own secrets do not leave`() async throws {
        let seen = LatestValue()
        let fixture = try await FoyerFixture { request in
            seen.set(request)
            return .responded(UpstreamResponse(status: 204))
        }
        _ = await fixture.site.responder(
            Request(
                method: .get, target: "/through/main/mystica/x",
                headers: [
                    "Host": "127.0.0.1:7070", "X-Foyer-Key": FoyerFixture.key,
                    "Cookie": "foyer_key_7070=secret; theirs=1; foyer_x=2",
                ]))
        let headers = seen.value?.headers ?? [:]
        #expect(headers["X-Foyer-Key"] == nil)
        #expect(headers.all("Cookie") == ["theirs=1"])
    }
}
