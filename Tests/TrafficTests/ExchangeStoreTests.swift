import SQLite
import Support
import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct ExchangeStoreTests {
    private func house(_ count: Int, keeping: Int = 5_000) async throws -> TrafficHouse {
        let house = try TrafficHouse(keeping: keeping) { request in
            request.url.hasSuffix("/bad") ? .answered(Answer(status: 401)) : TrafficHouse.ok()
        }
        for index in 0..<count { await house.send("/n/\(index)", as: house.context()) }
        return house
    }

    @Test func `pages walk to the oldest and back`() async throws {
        let house = try await house(7)
        var query = ExchangeQuery(workspace: "main")
        query.limit = 3
        let first = try await house.store.list(query)
        #expect(first.items.map(\.path) == ["/n/6", "/n/5", "/n/4"])
        #expect(first.total == 7 && first.hasOlder && !first.hasNewer)
        query.before = first.items.last?.sequence
        let second = try await house.store.list(query)
        #expect(second.items.map(\.path) == ["/n/3", "/n/2", "/n/1"])
        query.before = nil
        query.after = second.items.first?.sequence
        let back = try await house.store.list(query)
        #expect(back.items.map(\.path) == first.items.map(\.path))
    }

    @Test func `the oldest go when there are too many`() async throws {
        let house = try await house(20, keeping: 5)
        await house.recorder.flush()
        let page = try await house.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.count == 5)
        #expect(page.items.first?.path == "/n/19")
        #expect(try await house.store.totals(workspace: "main").all == 5)
    }

    @Test func `the index of words holds what is kept and nothing else`() async throws {
        let house = try await house(20, keeping: 5)
        await house.send("/n/bad", as: house.context())
        var query = ExchangeQuery(workspace: "main")
        query.text = "n"
        #expect(try await house.store.list(query).total == 5)
        query.status = .refused
        #expect(try await house.store.list(query).items.count == 1)
        try await house.checkWords()
        _ = try await house.store.forget(workspace: "main")
        #expect(try await house.store.list(query).items.isEmpty)
        try await house.checkWords()
    }

    @Test func `those too old go with the next one recorded`() async throws {
        let house = try await house(3)
        await house.recorder.flush()
        house.frozen.advance(by: 8 * 86_400)
        await house.send("/new", as: house.context())
        let page = try await house.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.path) == ["/new"])
    }

    @Test func `words are searched in URL and bodies`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok(#"{"error":"email_taken"}"#) }
        await house.send(body: #"{"email":"nora@example.com"}"#, as: house.context())
        for text in ["nora", "example.com", "taken", "login", "127.0.0.1"] {
            var query = ExchangeQuery(workspace: "main")
            query.text = text
            #expect(try await house.store.list(query).total == 1, "\(text)")
        }
        var query = ExchangeQuery(workspace: "main")
        query.text = "nobody"
        #expect(try await house.store.list(query).total == 0)
    }

    @Test func `an exchange stays while its words are typed`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok() }
        let address = "jane.doe-42xyz@corp.example.org"
        await house.send(body: "{\"email\":\"\(address)\"}", as: house.context())
        for length in 1...address.count {
            var query = ExchangeQuery(workspace: "main")
            query.text = String(address.prefix(length))
            #expect(try await house.store.list(query).total == 1, "\(query.text ?? "")")
        }
    }

    @Test func `a search keeps to its workspace, also to one without traffic`() async throws {
        let house = try await house(2)
        var query = ExchangeQuery(workspace: "elsewhere")
        query.text = "127"
        let page = try await house.store.list(query)
        #expect(page.total == 0 && page.items.isEmpty && page.totalIsWhole)
    }

    @Test func `every word of a long search counts`() async throws {
        let house = try await house(1)
        var query = ExchangeQuery(workspace: "main")
        let many = Array(repeating: "127", count: 400)
        query.text = many.joined(separator: " ")
        #expect(try await house.store.list(query).total == 1)
        query.text = (many + ["nowhere"]).joined(separator: " ")
        #expect(try await house.store.list(query).total == 0)
    }

    @Test(arguments: ["\"", "*", "(", "NEAR(", "a OR", "'; --", "\u{0}", "é́", "٣", "-", ""])
    func `no search text breaks the search`(_ text: String) async throws {
        let house = try await house(1)
        var query = ExchangeQuery(workspace: "main")
        query.text = text
        _ = try await house.store.list(query)
    }

    @Test func `totals tell refused, unanswered and refreshing apart`() async throws {
        let house = try await house(1)
        await house.send("/bad", as: house.context())
        await house.send("/r", as: house.context("refresh", cause: .refresh))
        #expect(
            try await house.store.totals(workspace: "main")
                == ExchangeTotals(all: 3, refused: 1, noAnswer: 0, refresh: 1))
        var query = ExchangeQuery(workspace: "main")
        query.status = .refused
        #expect(try await house.store.list(query).items.map(\.path) == ["/bad"])
    }

    @Test func `what caused each other is one chain`() async throws {
        let house = try await house(1)
        let first = await house.send("/me", as: house.context("me"))
        let second = await house.send(
            "/refresh", as: house.context("refresh", cause: .refresh, after: first.id))
        await house.send("/me", as: house.context("me", cause: .retry, after: second.id))
        let chain = try await house.store.chain(of: second.id, in: "main")
        #expect(chain.map(\.path) == ["/me", "/refresh", "/me"])
    }

    @Test func `forgetting leaves other workspaces alone`() async throws {
        let house = try await house(3)
        #expect(try await house.store.forget(workspace: "other") == 0)
        #expect(try await house.store.forget(workspace: "main") == 3)
        let page = try await house.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.isEmpty && page.total == 0)
    }

    @Test func `one exchange that cannot be stored loses no other`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok() }
        try await house.store.database.write { connection in
            try connection.run(
                """
                CREATE TRIGGER refuses BEFORE INSERT ON exchanges \
                WHEN new.call = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END
                """)
        }
        // They wait for each other: nothing moves the clock.
        await house.send("/1", as: house.context())
        let bad = await house.send("/2", as: house.context("bad"))
        await house.send("/3", as: house.context())
        let page = try await house.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.path) == ["/3", "/1"])
        #expect(page.total == 2)
        let lines = house.frozen.lines
        #expect(lines.count == 1)
        #expect(lines.first?.contains("exchange \(bad.id) could not") == true)
    }

    @Test func `a search index that cannot be kept up is told in the log`() async throws {
        let house = try await house(1)
        await house.recorder.flush()
        try await house.store.database.write { connection in
            try connection.run("DROP TABLE exchange_words")
        }
        #expect(await eventually { house.frozen.wakes(in: 0.2...0.3) })
        house.frozen.advance(by: 1)
        #expect(
            await eventually {
                house.frozen.lines.contains { $0.hasPrefix("traffic: the search index could not") }
            })
    }

    @Test func `a token sealed with another key is told when it is asked for`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok() }
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        let sent = await house.send(
            body: #"{"token":"\#(token)"}"#, as: house.context(tokens: [token]))
        await house.store.flush()
        try await house.store.database.write { connection in
            try connection.run("UPDATE exchanges SET sealed = '[\"x\"]'")
        }
        let problem = await #expect(throws: Problem.self) {
            try await house.store.reveal(token: 0, of: sent.id, in: "main")
        }
        #expect(problem?.code == Problem.sealedToken)
        #expect(house.frozen.lines.count == 1)
    }
}
