import Core
import SQLite
import Support
import Testing

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct SearchIndexTests {
    private func hasPending(_ fixture: TrafficFixture) async throws -> Bool {
        try await fixture.store.database.read { connection in try SearchIndex.hasPending(connection)
        }
    }

    @Test func `exchanges are indexed only once a search was made`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        await fixture.send("/n", as: fixture.context())
        await fixture.recorder.flush()
        #expect(fixture.frozen.sleeping == 0)
        #expect(try await hasPending(fixture))
        try await fixture.search("n")
        #expect(try await !hasPending(fixture))
    }

    @Test func `after a search, a burst of exchanges is indexed when it ends`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        try await fixture.search("n")
        for number in 1...3 { await fixture.send("/n/\(number)", as: fixture.context()) }
        await fixture.recorder.flush()
        #expect(try await hasPending(fixture))
        while try await hasPending(fixture) {
            fixture.frozen.advance(by: 1)
            await Task.yield()
        }
        try await fixture.checkIndex()
    }

    @Test func `what an earlier run left pending is indexed after a start`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        for number in 1...150 { await fixture.send("/n/\(number)", as: fixture.context()) }
        await fixture.recorder.flush()
        let indexing = Task { await fixture.store.indexEarlierExchanges() }
        while try await hasPending(fixture) {
            fixture.frozen.advance(by: 1)
            await Task.yield()
        }
        fixture.frozen.advance(by: 1)
        indexing.cancel()
        await indexing.value
        try await fixture.checkIndex()
    }

    @Test func `a search finds exchanges that are not yet indexed`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        await fixture.send("/sparrow", as: fixture.context())
        var query = ExchangeQuery(workspace: "main")
        query.text = "sparrow"
        #expect(try await fixture.store.list(query).total == 1)
        #expect(try await !hasPending(fixture))
    }

    @Test func `deleted exchanges are removed from the index`() async throws {
        let fixture = try TrafficFixture(retentionCount: 5) { _ in TrafficFixture.ok() }
        var query = ExchangeQuery(workspace: "main")
        query.text = "n"
        for number in 1...4 { await fixture.send("/n/\(number)", as: fixture.context()) }
        #expect(try await fixture.store.list(query).total == 4)
        for number in 5...20 { await fixture.send("/n/\(number)", as: fixture.context()) }
        await fixture.recorder.flush()
        try await fixture.checkIndex()
        #expect(try await fixture.store.list(query).total == 5)
    }

    @Test func `exchanges are indexed once more than the bound are pending`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        for number in 1...4 { await fixture.send("/n/\(number)", as: fixture.context()) }
        await fixture.recorder.flush()
        for (bound, isPending) in [(4, true), (3, false)] {
            try await fixture.store.database.write { connection in
                try SearchIndex.limitBacklog(connection, bound: Int64(bound))
            }
            #expect(try await hasPending(fixture) == isPending)
        }
    }
}
