import Core
import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// Numbers in untrusted input, none of which crashes the process.
@Suite(.timeLimit(.minutes(10))) struct ExtremeNumbersTests {
    /// As they are written in JSON; the last two are not numbers.
    static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9300000000000000",
        "9.3e15", "-9.3e15", "9.3e18", "1e300", "-1e300", "253402300800",
        "0.1", "-0.1", "-1", "0", "1e-300", "\"NaN\"", "null",
    ]

    private static func json(_ number: String) -> JSON { (try? JSON(parsing: number)) ?? .null }

    // MARK: Tokens

    private static func token(_ number: String, subject: String) -> String {
        let claims = """
            {"sub":"\(subject)","exp":\(number),"iat":\(number),\
            "nbf":\(number),"auth_time":\(number)}
            """
        return [#"{"alg":"none"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(
            separator: ".") + "."
    }

    private static let key = "mystica_access_token"

    /// Requests everything that shows or lists sessions.
    private func requestSessionViews(
        _ fixture: FoyerFixture, _ session: String, _ token: String? = nil
    ) async {
        for path in ["/api/sessions", "/api/sessions?q=nora"] {
            #expect(await fixture.ask(.get, path).status == 200)
        }
        let read = await fixture.ask(.get, "/api/sessions/\(session)")
        #expect(read.status == 200)
        for path in ["/sessions", "/sessions/\(session)", "/", "/accounts"] {
            #expect(await fixture.page(path).status == 200, "\(path)")
        }
        if let token {
            let read = await fixture.ask(
                .post, "/api/tokens/inspect", json: ["token": .string(token)])
            #expect(read.status == 200)
        }
    }

    @Test(arguments: numbers) func `a session is shown for any times in its token`(
        _ number: String
    ) async throws {
        let data = try DataFolderCopies()
        let fixture = try await FoyerFixture(data: data.live)
        let device = try await fixture.registered()
        let appPath = "/api/devices/\(device)/apps/mystica"
        let account = await fixture.ask(.get, "/api/accounts")
        let subject = try #require(account.json["items"]?[0]?["id"]?.string)
        let token = Self.token(number, subject: subject)
        let written = await fixture.ask(
            .put, "\(appPath)/storage/\(Self.key)", json: ["value": .string(token)])
        #expect(written.status == 200)
        let session = try await fixture.session()
        await requestSessionViews(fixture, session, token)
        #expect(await fixture.page("/studio/mystica", device: device).status == 200)
        await fixture.succeed(.post, "\(appPath)/relaunch")
        // A token that is no longer on the device is looked up by its claims.
        await fixture.succeed(.delete, "\(appPath)/storage/\(Self.key)")
        await requestSessionViews(fixture, session)
        try data.copyAsAfterPowerFailure()
        let after = try await FoyerFixture(data: data.crashCopy)
        await requestSessionViews(after, session)
    }

    // MARK: HAR files

    private static func entry(_ number: String) -> JSON {
        let number = json(number)
        return [
            "startedDateTime": "2026-11-20T10:00:00.250Z", "time": number,
            "timings": [
                "dns": number, "connect": number, "ssl": number, "send": number, "wait": number,
                "receive": number,
            ],
            "request": [
                "method": "GET", "url": "https://api.example.com/login", "headers": [],
                "headersSize": number, "bodySize": number,
            ],
            "response": [
                "status": 200, "headers": [], "bodySize": number,
                "content": ["text": "", "size": number],
            ],
        ]
    }

    @Test(arguments: numbers)
    func `an exchange is shown and compared for any times in its HAR file`(_ number: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let entries = [Self.entry(number), Self.entry("1.5")]
        let imported = await fixture.ask(
            .post, "/api/exchanges/import",
            json: ["log": ["version": "1.2", "entries": .array(entries)]])
        #expect(imported.status == 200 || imported.status == 201)
        let ids = [0, 1].compactMap { imported.json["exchanges"]?[$0]?.string }
        try #require(ids.count == 2)
        for path in [
            "/traffic", "/traffic/\(ids[0])", Links.exchangeDiff(ids[0], ids[1]),
            Links.exchangeDiff(ids[1], ids[0]), "/traffic/har",
        ] { #expect(await fixture.page(path).status == 200, "\(path)") }
        for path in [
            "/api/exchanges", "/api/exchanges/\(ids[0])",
            "/api/exchanges/diff?a=\(ids[0])&b=\(ids[1])",
        ] { #expect(await fixture.ask(.get, path).status == 200, "\(path)") }
    }

    @Test(arguments: numbers) func `an invalid status in a HAR file is rejected`(_ number: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let entry: JSON = [
            "startedDateTime": "2026-11-20T10:00:00.250Z",
            "request": ["method": "GET", "url": "https://a.example/"],
            "response": ["status": Self.json(number)],
        ]
        let imported = await fixture.ask(
            .post, "/api/exchanges/import", json: ["log": ["version": "1.2", "entries": [entry]]])
        // Status 0 means that there was no response.
        #expect((imported.status < 300) == (number == "0"))
    }

    // MARK: API and forms

    static let bodies: [(Method, String, [String])] = [
        (.patch, "/api/clock", ["offset"]), (.patch, "/api/clock", ["advance"]),
        (.post, "/api/workspaces", ["ttl"]),
        (.post, "/api/accounts", ["count", "accessTokenTTL"]),
        (
            .post, "/api/faults",
            ["times", "status", "delay", "retryAfter", "skew"]
        ),
    ]

    @Test(arguments: bodies) func `a number in a request body causes no server error`(
        _ method: Method, _ path: String, _ fields: [String]
    ) async throws {
        let fixture = try await FoyerFixture()
        for number in Self.numbers {
            for field in fields {
                for kind in ["status", "slow", "rateLimited", "clockSkew"] {
                    var members = [JSON.Member(field, Self.json(number))]
                    if path.hasSuffix("faults") { members.append(.init("kind", .string(kind))) }
                    if path.hasSuffix("accounts") { members.append(.init("app", "mystica")) }
                    let response = await fixture.ask(method, path, json: .object(members))
                    #expect(response.status < 500, "\(field) \(number)")
                    if !path.hasSuffix("faults") { break }
                }
            }
        }
        for page in ["/clock", "/faults", "/accounts", "/workspaces"] {
            #expect(await fixture.page(page).status == 200, "\(page)")
        }
    }

    @Test func `numbers in refresh tests and probes cause no server error`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        for number in Self.numbers {
            for field in ["generation", "token"] {
                let response = await fixture.ask(
                    .post, "/api/sessions/\(session)/refresh-tests",
                    json: .object([.init("kind", "replay"), .init(field, Self.json(number))]))
                #expect((400..<500).contains(response.status), "\(number)")
            }
            let probe = await fixture.ask(
                .post, "/api/tokens/probe",
                json: ["session": .string(session), "token": Self.json(number)])
            #expect(probe.status < 500, "\(number)")
        }
    }

    static let queries = [
        "/api/sessions?limit=", "/api/sessions?after=", "/api/exchanges?after=",
        "/api/exchanges?status=", "/api/exchanges?since=", "/api/events?after=",
        "/api/mailbox?after=", "/api/accounts?after=", "/api/devices?after=",
        "/api/apps/mystica/map?run=", "/sessions?before=", "/sessions?after=",
        "/sessions?from=", "/traffic?from=", "/traffic?before=",
        "/traffic?after=", "/traffic?since=", "/traffic?span=",
        "/accounts?from=", "/mailbox?from=", "/mailbox?before=",
        "/storyboard/mystica?zoom=", "/storyboard/mystica/tokens?saved=",
        "/storyboard/mystica/map?run=", "/events/",
    ]

    @Test(arguments: queries) func `a number in a URL causes no server error`(_ path: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        for number in Self.numbers {
            let target = path + PercentEncoding.encode(number)
            #expect(await fixture.page(target).status < 500, "\(target)")
        }
    }

    @Test func `a pager has a range for any row number`() {
        for number in Self.numbers + ["9223372036854775000"] {
            guard let position = try? ListPosition(["from": number]) else { continue }
            for isExact in [true, false] {
                for count in [1, 2] {
                    let page = KeysetPage(
                        Keyset(before: 3, limit: 1), Array(repeating: ((), 2, nil), count: count),
                        total: 5_000, totalIsExact: isExact)
                    let pager = PagerModel(page, at: position) { Links.url("/traffic", $0) }
                    #expect(pager?.range.isEmpty == false)
                }
            }
        }
    }
}
