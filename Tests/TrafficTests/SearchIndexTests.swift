import SQLite
import Support
import Testing

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct SearchIndexTests {
    private func isBehind(_ fixture: TrafficFixture) async throws -> Bool {
        try await fixture.store.database.read { connection in try SearchIndex.hasPending(connection)
        }
    }

    @Test func `a burst is indexed once it is over`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        for number in 1...3 { await fixture.send("/n/\(number)", as: fixture.context()) }
        await fixture.recorder.flush()
        #expect(try await isBehind(fixture))
        while try await isBehind(fixture) {
            fixture.frozen.advance(by: 1)
            await Task.yield()
        }
        try await fixture.checkWords()
    }

    @Test func `a search finds what is not yet indexed`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        await fixture.send("/sparrow", as: fixture.context())
        var query = ExchangeQuery(workspace: "main")
        query.text = "sparrow"
        #expect(try await fixture.store.list(query).total == 1)
        #expect(try await !isBehind(fixture))
    }

    @Test func `what goes is taken out of the index if it was in it`() async throws {
        let fixture = try TrafficFixture(keeping: 5) { _ in TrafficFixture.ok() }
        var query = ExchangeQuery(workspace: "main")
        query.text = "n"
        for number in 1...4 { await fixture.send("/n/\(number)", as: fixture.context()) }
        #expect(try await fixture.store.list(query).total == 4)
        for number in 5...20 { await fixture.send("/n/\(number)", as: fixture.context()) }
        await fixture.recorder.flush()
        try await fixture.checkWords()
        #expect(try await fixture.store.list(query).total == 5)
    }

    @Test func `a burst without an end is indexed on the way`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        for number in 1...4 { await fixture.send("/n/\(number)", as: fixture.context()) }
        await fixture.recorder.flush()
        for (bound, isBehind) in [(4, true), (3, false)] {
            try await fixture.store.database.write { connection in
                try SearchIndex.limitBacklog(connection, bound: Int64(bound))
            }
            #expect(try await self.isBehind(fixture) == isBehind)
        }
    }
}
