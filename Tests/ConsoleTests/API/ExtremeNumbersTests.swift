import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// Numbers that others choose: none of them ends the process.
@Suite(.timeLimit(.minutes(10))) struct ExtremeNumbersTests {
    /// As JSON writes them; the last are none.
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

    /// Everything that shows or lists sessions.
    private func look(at fixture: FoyerFixture, _ session: String, _ token: String? = nil) async {
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

    @Test(arguments: numbers) func `a session is shown whatever times its token claims`(
        _ number: String
    ) async throws {
        let data = try DataFolderCopies()
        let fixture = try await FoyerFixture(data: data.live)
        let device = try await fixture.registered()
        let place = "/api/devices/\(device)/apps/mystica"
        let account = await fixture.ask(.get, "/api/accounts")
        let subject = try #require(account.json["items"]?[0]?["id"]?.string)
        let token = Self.token(number, subject: subject)
        let written = await fixture.ask(
            .put, "\(place)/storage/\(Self.key)", json: ["value": .string(token)])
        #expect(written.status == 200)
        let session = try await fixture.session()
        await look(at: fixture, session, token)
        #expect(await fixture.page("/studio/mystica", device: device).status == 200)
        await fixture.succeed(.post, "\(place)/relaunch")
        // What the device no longer holds is looked for by what it claimed.
        await fixture.succeed(.delete, "\(place)/storage/\(Self.key)")
        await look(at: fixture, session)
        try data.cut()
        let after = try await FoyerFixture(data: data.left)
        await look(at: after, session)
    }

    // MARK: Archives

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
    func `an exchange is shown and compared whatever times its archive tells`(_ number: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let entries = [Self.entry(number), Self.entry("1.5")]
        let taken = await fixture.ask(
            .post, "/api/exchanges/import",
            json: ["log": ["version": "1.2", "entries": .array(entries)]])
        #expect(taken.status == 200 || taken.status == 201)
        let ids = [0, 1].compactMap { taken.json["exchanges"]?[$0]?.string }
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

    @Test(arguments: numbers) func `an archive's status that is none is refused`(_ number: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let entry: JSON = [
            "startedDateTime": "2026-11-20T10:00:00.250Z",
            "request": ["method": "GET", "url": "https://a.example/"],
            "response": ["status": Self.json(number)],
        ]
        let taken = await fixture.ask(
            .post, "/api/exchanges/import", json: ["log": ["version": "1.2", "entries": [entry]]])
        // 0 stands where no response came.
        #expect((taken.status < 300) == (number == "0"))
    }

    // MARK: API and forms

    static let bodies: [(Method, String, [String])] = [
        (.patch, "/api/clock", ["offset"]), (.patch, "/api/clock", ["advance"]),
        (.post, "/api/workspaces", ["ttl"]),
        (.post, "/api/accounts", ["count", "accessTokenTTL"]),
        (
            .post, "/api/conditions",
            ["times", "status", "delay", "retryAfter", "skew"]
        ),
    ]

    @Test(arguments: bodies) func `a body's number is taken or refused`(
        _ method: Method, _ path: String, _ fields: [String]
    ) async throws {
        let fixture = try await FoyerFixture()
        for number in Self.numbers {
            for field in fields {
                for kind in ["status", "slow", "rateLimited", "clockSkew"] {
                    var members = [JSON.Member(field, Self.json(number))]
                    if path.hasSuffix("conditions") { members.append(.init("kind", .string(kind))) }
                    if path.hasSuffix("accounts") { members.append(.init("app", "mystica")) }
                    let answer = await fixture.ask(method, path, json: .object(members))
                    #expect(answer.status < 500, "\(field) \(number)")
                    if !path.hasSuffix("conditions") { break }
                }
            }
        }
        for page in ["/clock", "/conditions", "/accounts", "/workspaces"] {
            #expect(await fixture.page(page).status == 200, "\(page)")
        }
    }

    @Test func `a trial's number is taken or refused`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        for number in Self.numbers {
            for field in ["generation", "token"] {
                let answer = await fixture.ask(
                    .post, "/api/sessions/\(session)/trials",
                    json: .object([.init("kind", "replay"), .init(field, Self.json(number))]))
                #expect((400..<500).contains(answer.status), "\(number)")
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
        "/api/apps/mystica/flow?seen=", "/sessions?before=", "/sessions?after=",
        "/sessions?from=", "/traffic?from=", "/traffic?before=",
        "/traffic?after=", "/traffic?since=", "/traffic?span=",
        "/accounts?from=", "/mailbox?from=", "/mailbox?before=",
        "/storyboard/mystica?zoom=", "/storyboard/mystica/look?saved=",
        "/storyboard/mystica/flow?seen=", "/events/",
    ]

    @Test(arguments: queries) func `an address's number is taken or refused`(_ path: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        for number in Self.numbers {
            let target = path + PercentEncoding.encode(number)
            #expect(await fixture.page(target).status < 500, "\(target)")
        }
    }

    @Test func `a pager stands anywhere in a list that is not counted`() {
        for number in Self.numbers + ["9223372036854775000"] {
            guard let keyset = try? Keyset(["from": number]) else { continue }
            for isWhole in [true, false] {
                for hasOlder in [true, false] {
                    let pager = PagerModel(
                        keyset, rows: 50, total: 5_000, isExact: isWhole, first: 1, last: 2,
                        hasNewer: true, hasOlder: hasOlder
                    ) { Links.url("/traffic", $0) }
                    #expect(pager?.range.isEmpty == false)
                }
            }
        }
    }
}
