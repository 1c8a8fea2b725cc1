import SQLite
import Support
import Testing

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct ExchangeWordsTests {
    private func isBehind(_ house: TrafficHouse) async throws -> Bool {
        try await house.store.database.read { connection in try ExchangeWords.areBehind(connection)
        }
    }

    @Test func `a burst is indexed once it is over`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok() }
        for number in 1...3 { await house.send("/n/\(number)", as: house.context()) }
        await house.recorder.flush()
        #expect(try await isBehind(house))
        while try await isBehind(house) {
            house.frozen.advance(by: 1)
            await Task.yield()
        }
        try await house.checkWords()
    }

    @Test func `a search finds what is not yet indexed`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok() }
        await house.send("/sparrow", as: house.context())
        var query = ExchangeQuery(workspace: "main")
        query.text = "sparrow"
        #expect(try await house.store.list(query).total == 1)
        #expect(try await !isBehind(house))
    }

    @Test func `what goes is taken out of the index if it was in it`() async throws {
        let house = try TrafficHouse(keeping: 5) { _ in TrafficHouse.ok() }
        var query = ExchangeQuery(workspace: "main")
        query.text = "n"
        for number in 1...4 { await house.send("/n/\(number)", as: house.context()) }
        #expect(try await house.store.list(query).total == 4)
        for number in 5...20 { await house.send("/n/\(number)", as: house.context()) }
        await house.recorder.flush()
        try await house.checkWords()
        #expect(try await house.store.list(query).total == 5)
    }

    @Test func `a burst without an end is indexed on the way`() async throws {
        let house = try TrafficHouse { _ in TrafficHouse.ok() }
        for number in 1...4 { await house.send("/n/\(number)", as: house.context()) }
        await house.recorder.flush()
        for (bound, isBehind) in [(4, true), (3, false)] {
            try await house.store.database.write { connection in
                try ExchangeWords.keepUp(connection, bound: Int64(bound))
            }
            #expect(try await self.isBehind(house) == isBehind)
        }
    }
}
