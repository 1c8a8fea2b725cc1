import Core
import SQLite
import Support
import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct ExchangeStoreTests {
    private func makeFixture(recording count: Int, retentionCount: Int = 5_000) async throws
        -> TrafficFixture
    {
        let fixture = try TrafficFixture(retentionCount: retentionCount) { request in
            request.url.hasSuffix("/bad")
                ? .responded(UpstreamResponse(status: 401)) : TrafficFixture.ok()
        }
        for index in 0..<count { await fixture.send("/n/\(index)", as: fixture.context()) }
        return fixture
    }

    @Test func `paging leads to older exchanges and back to newer ones`() async throws {
        let fixture = try await makeFixture(recording: 7)
        var query = ExchangeQuery(workspace: "main")
        query.keyset.limit = 3
        let first = try await fixture.store.list(query)
        #expect(first.items.map(\.pathAndQuery) == ["/n/6", "/n/5", "/n/4"])
        #expect(first.total == 7 && first.hasOlder && !first.hasNewer)
        query.keyset.before = first.last
        let second = try await fixture.store.list(query)
        #expect(second.items.map(\.pathAndQuery) == ["/n/3", "/n/2", "/n/1"])
        query.keyset.before = nil
        query.keyset.after = second.first
        let newer = try await fixture.store.list(query)
        #expect(newer.items.map(\.pathAndQuery) == first.items.map(\.pathAndQuery))
    }

    @Test func `the oldest exchanges beyond the retention count are deleted`() async throws {
        let fixture = try await makeFixture(recording: 20, retentionCount: 5)
        await fixture.recorder.flush()
        let page = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.count == 5)
        #expect(page.items.first?.pathAndQuery == "/n/19")
        #expect(try await fixture.store.totals(workspace: "main").all == 5)
    }

    @Test func `the search index contains exactly the stored exchanges`() async throws {
        let fixture = try await makeFixture(recording: 20, retentionCount: 5)
        await fixture.send("/n/bad", as: fixture.context())
        var query = ExchangeQuery(workspace: "main")
        query.text = "n"
        #expect(try await fixture.store.list(query).total == 5)
        query.status = .httpError
        #expect(try await fixture.store.list(query).items.count == 1)
        try await fixture.checkIndex()
        _ = try await fixture.store.clear(workspace: "main")
        #expect(try await fixture.store.list(query).items.isEmpty)
        try await fixture.checkIndex()
    }

    @Test func `expired exchanges are deleted when the next one is recorded`() async throws {
        let fixture = try await makeFixture(recording: 3)
        await fixture.recorder.flush()
        fixture.frozen.advance(by: 8 * 86_400)
        await fixture.send("/new", as: fixture.context())
        let page = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.pathAndQuery) == ["/new"])
    }

    @Test func `a search matches parts of URL, status, method, app and bodies`() async throws {
        let fixture = try TrafficFixture { _ in
            TrafficFixture.ok(#"{"error":"email_taken","x":"GRÖßE größe"}"#)
        }
        await fixture.send(body: #"{"email":"nora@example.com"}"#, as: fixture.context())
        for text in [
            "nora", "ora@example.com", "taken", "ogin", "127.0.0.1", "\":\"email", "OS", "200",
            "mystic", "o", "Größe", "\"nora@example.com\" -absent status:200", "NORA",
        ] {
            var query = ExchangeQuery(workspace: "main")
            query.text = text
            #expect(try await fixture.store.list(query).total == 1, "\(text)")
        }
        var query = ExchangeQuery(workspace: "main")
        query.text = "nobody"
        #expect(try await fixture.store.list(query).total == 0)
    }

    @Test func `a search finds a text as it stands in a form and in JSON`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        await fixture.send(body: "username=nora%40example.com", as: fixture.context())
        await fixture.send(body: #"{"name":"a \"b\" c"}"#, as: fixture.context())
        for text in ["nora@example.com", #""a \"b\" c""#] {
            var query = ExchangeQuery(workspace: "main")
            query.text = text
            #expect(try await fixture.store.list(query).total == 1, "\(text)")
        }
    }

    @Test(arguments: [
        ("path:/n/1", ["/n/1"]), ("path:/n -path:/n/1", ["/n/2", "/n/0"]),
        ("host:127.0.0.1:7071 path:/2", ["/n/2"]), ("host:elsewhere", []),
        ("method:post status:2xx has:token", []), ("-has:token -status:404 path:/0", ["/n/0"]),
        ("cause:submit -fault:applied device:dev_1 call:login app:MYSTICA n/1", ["/n/1"]),
        ("-/n/", []), ("stat:401", []),
    ]) func `a search has filters, which a minus excludes`(_ text: String, _ expected: [String])
        async throws
    {
        let fixture = try await makeFixture(recording: 3)
        var query = ExchangeQuery(workspace: "main")
        query.text = text
        #expect(try await fixture.store.list(query).items.map(\.pathAndQuery) == expected)
    }

    @Test(arguments: ExchangeQuery.Sort.Column.allCases, [true, false])
    func `a sorted list has every exchange once, in order, on pages in both directions`(
        _ column: ExchangeQuery.Sort.Column, _ isAscending: Bool
    ) async throws {
        let fixture = try await makeFixture(recording: 7)
        var query = ExchangeQuery(workspace: "main")
        query.sort = .init(by: column, isAscending: isAscending)
        let all = try await fixture.store.list(query).items
        #expect(Set(all.map(\.id)).count == 7)
        let paths = all.map(\.pathAndQuery)
        let sorted = isAscending ? paths.sorted() : paths.sorted(by: >)
        if column == .path { #expect(paths == sorted) }
        query.keyset.limit = 3
        var page = try await fixture.store.list(query)
        var seen = page.items
        while page.hasOlder {
            query.keyset = Keyset(before: page.last, sortValue: page.lastSortValue, limit: 3)
            page = try await fixture.store.list(query)
            seen += page.items
        }
        #expect(seen.map(\.id) == all.map(\.id))
        query.keyset = Keyset(after: page.first, sortValue: page.firstSortValue, limit: 3)
        let previous = try await fixture.store.list(query)
        #expect(previous.items.map(\.id) == all[3..<6].map(\.id))
    }

    @Test func `deleting removes those selected by id or by filters, and their index entries`()
        async throws
    {
        let fixture = try await makeFixture(recording: 5)
        let all = try await fixture.store.list(ExchangeQuery(workspace: "main")).items
        #expect(try await fixture.store.delete([all[0].id, "exc_none"], in: "main") == 1)
        #expect(try await fixture.store.delete([all[1].id], in: "elsewhere") == 0)
        var query = ExchangeQuery(workspace: "main")
        query.text = "path:/n/1"
        #expect(try await fixture.store.delete(query) == 1)
        #expect(try await fixture.store.delete(query) == 0)
        let left = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        #expect(left.items.map(\.pathAndQuery) == ["/n/3", "/n/2", "/n/0"])
        #expect(try await fixture.store.totals(workspace: "main").all == 3)
        try await fixture.checkIndex()
    }

    @Test func `while recording is paused, requests are sent and not stored`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        fixture.store.setRecording(false, in: "main")
        let sent = await fixture.send("/hidden", as: fixture.context())
        #expect(sent.result.response?.status == 200)
        #expect(fixture.hub.event(sent.eventID, in: "main")?.details["stored"] == "no")
        #expect(!fixture.store.setRecording(false, in: "main"))
        fixture.store.setRecording(true, in: "main")
        await fixture.send("/shown", as: fixture.context())
        let page = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.pathAndQuery) == ["/shown"])
    }

    @Test func `filters and search words apply together`() async throws {
        let fixture = try await makeFixture(recording: 2)
        await fixture.send("/bad", as: fixture.context())
        await fixture.send("/r", as: fixture.context("refresh", cause: .refresh))
        let found = { (change: (inout ExchangeQuery) -> Void) in
            var query = ExchangeQuery(workspace: "main")
            change(&query)
            let page = try await fixture.store.list(query)
            #expect(page.total == page.items.count && page.totalIsExact)
            return page.items.map(\.pathAndQuery)
        }
        #expect(try await found { ($0.text, $0.status) = ("127", .httpError) } == ["/bad"])
        #expect(try await found { ($0.text, $0.status) = ("127", .statusClass(5)) } == [])
        #expect(try await found { ($0.text, $0.cause) = ("127", .refresh) } == ["/r"])
        #expect(
            try await found { ($0.app, $0.status) = ("mystica", .statusClass(2)) }
                == ["/r", "/n/1", "/n/0"])
        #expect(
            try await found { ($0.app, $0.cause, $0.status) = ("mystica", .refresh, .exact(200)) }
                == ["/r"])
        #expect(try await found { ($0.app, $0.hasToken) = ("elsewhere", false) } == [])
    }

    @Test func `every prefix of an email address finds its exchange`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        let address = "jane.doe-42xyz@corp.example.org"
        await fixture.send(body: "{\"email\":\"\(address)\"}", as: fixture.context())
        for length in 1...address.count {
            var query = ExchangeQuery(workspace: "main")
            query.text = String(address.prefix(length))
            #expect(try await fixture.store.list(query).total == 1, "\(query.text ?? "")")
        }
    }

    @Test func `a search in a workspace without traffic finds nothing`() async throws {
        let fixture = try await makeFixture(recording: 2)
        var query = ExchangeQuery(workspace: "elsewhere")
        query.text = "127"
        let page = try await fixture.store.list(query)
        #expect(page.total == 0 && page.items.isEmpty && page.totalIsExact)
    }

    @Test func `every word of a long search must match`() async throws {
        let fixture = try await makeFixture(recording: 1)
        var query = ExchangeQuery(workspace: "main")
        let many = Array(repeating: "127", count: 400)
        query.text = many.joined(separator: " ")
        #expect(try await fixture.store.list(query).total == 1)
        query.text = (many + ["nowhere"]).joined(separator: " ")
        #expect(try await fixture.store.list(query).total == 0)
    }

    @Test(arguments: ["\"", "*", "(", "NEAR(", "a OR", "'; --", "\u{0}", "é́", "٣", "-", ""])
    func `no search text causes an error`(_ text: String) async throws {
        let fixture = try await makeFixture(recording: 1)
        var query = ExchangeQuery(workspace: "main")
        query.text = text
        _ = try await fixture.store.list(query)
    }

    @Test func `totals count HTTP errors, missing responses and refreshes separately`() async throws
    {
        let fixture = try await makeFixture(recording: 1)
        await fixture.send("/bad", as: fixture.context())
        await fixture.send("/r", as: fixture.context("refresh", cause: .refresh))
        #expect(
            try await fixture.store.totals(workspace: "main")
                == ExchangeTotals(all: 3, httpErrors: 1, noResponse: 0, refreshes: 1))
        var query = ExchangeQuery(workspace: "main")
        query.status = .httpError
        #expect(try await fixture.store.list(query).items.map(\.pathAndQuery) == ["/bad"])
    }

    @Test func `exchanges that caused each other form one chain`() async throws {
        let fixture = try await makeFixture(recording: 1)
        let first = await fixture.send("/me", as: fixture.context("me"))
        let second = await fixture.send(
            "/refresh", as: fixture.context("refresh", cause: .refresh, after: first.id))
        await fixture.send("/me", as: fixture.context("me", cause: .retry, after: second.id))
        let chain = try await fixture.store.chain(of: second.id, in: "main")
        #expect(chain.map(\.pathAndQuery) == ["/me", "/refresh", "/me"])
    }

    @Test func `clearing one workspace leaves the others unchanged`() async throws {
        let fixture = try await makeFixture(recording: 3)
        #expect(try await fixture.store.clear(workspace: "other") == 0)
        #expect(try await fixture.store.clear(workspace: "main") == 3)
        let page = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.isEmpty && page.total == 0)
    }

    @Test func `an exchange that cannot be stored does not affect the others`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        try await fixture.store.database.write { connection in
            try connection.run(
                """
                CREATE TRIGGER refuses BEFORE INSERT ON exchanges \
                WHEN new.call = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END
                """)
        }
        // The clock does not advance, so that all three are stored in one batch.
        await fixture.send("/1", as: fixture.context())
        let bad = await fixture.send("/2", as: fixture.context("bad"))
        await fixture.send("/3", as: fixture.context())
        let page = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.pathAndQuery) == ["/3", "/1"])
        #expect(page.total == 2)
        let lines = fixture.frozen.lines
        #expect(lines.count == 1)
        #expect(lines.first?.contains("request \(bad.id) could not") == true)
    }

    @Test func `under load, further records have longer to join a batch`() async throws {
        let fixture = try await makeFixture(recording: 16)
        await fixture.recorder.flush()
        await fixture.send(as: fixture.context())
        #expect(await eventually { fixture.frozen.slept == [.milliseconds(4), .milliseconds(20)] })
        await fixture.recorder.flush()
        await fixture.send(as: fixture.context())
        #expect(await eventually { fixture.frozen.slept.last == .milliseconds(4) })
    }

    @Test func `senders pause while many records are queued`() async throws {
        let fixture = try makeFixtureOfLargeResponses()
        let sender = Task {
            for _ in 0..<100 { await fixture.send(as: fixture.context()) }
        }
        #expect(await eventually { fixture.frozen.slept.contains(.milliseconds(8)) })
        #expect(fixture.frozen.slept.count { $0 == .milliseconds(8) } == 1)
        // A canceled task does not pause.
        sender.cancel()
        await sender.value
        #expect(try await fixture.store.totals(workspace: "main").all == 100)
    }

    private func makeFixtureOfLargeResponses() throws -> TrafficFixture {
        let body = String(repeating: "x", count: 64 << 10)
        return try TrafficFixture { _ in TrafficFixture.ok(body) }
    }

    @Test func `a failed update of the search index is logged`() async throws {
        let fixture = try await makeFixture(recording: 1)
        try await fixture.search("n")
        await fixture.send(as: fixture.context())
        await fixture.recorder.flush()
        try await fixture.store.database.write { connection in
            try connection.run("DROP TABLE exchange_text")
        }
        #expect(await eventually { fixture.frozen.wakes(in: 0.2...0.3) })
        #expect(
            await eventually {
                // The first time, the update still finds new exchanges.
                fixture.frozen.advance(by: 1)
                return fixture.frozen.lines.contains {
                    $0.hasPrefix("traffic: the search index could not")
                }
            })
    }

    @Test func `revealing a token that cannot be unsealed is a problem and is logged`() async throws
    {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        let sent = await fixture.send(
            body: #"{"token":"\#(token)"}"#, as: fixture.context(tokens: [token]))
        await fixture.store.flush()
        try await fixture.store.database.write { connection in
            try connection.run("UPDATE exchanges SET sealed = '[\"x\"]'")
        }
        let problem = await #expect(throws: Problem.self) {
            try await fixture.store.reveal(token: 0, of: sent.id, in: "main")
        }
        #expect(problem?.code == Problem.sealedTokenCode)
        #expect(fixture.frozen.lines.count == 1)
    }
}
