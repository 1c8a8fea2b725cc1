import FoundationEssentials
package import Secrets
package import SQLite
package import Surroundings
import Synchronization

/// The recorded exchanges: bounded by count and age, searched, paged by key.
///
/// Records wait in a queue bounded in bytes and are stored in batches; a
/// reader first waits for those that were queued before it asked, so nobody
/// ever sees less than has happened.
package final class ExchangeStore: Sendable {
    let database: Database
    let sealer: Sealer
    private let world: World
    private let retention: Retention
    private let queue = Mutex(RecordQueue())

    package init(
        database: Database, sealer: Sealer, world: World,
        retention: Retention = Retention()
    ) {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.retention = retention
    }

    /// What is kept, per workspace; the oldest go first, in small steps.
    package struct Retention: Sendable {
        package var count: Int = 5_000
        package var age: Duration = .seconds(7 * 86_400)
        package init() {}
    }

    /// What is kept of a workspace's traffic, for pages that say so.
    package var keptCount: Int { retention.count }

    // MARK: Writing

    /// Takes a record; waits while the queue is full.
    func queue(_ record: ExchangeRecord) async {
        await withCheckedContinuation { ready in
            let next = queue.withLock { $0.add(record, waiting: ready) }
            perform(next)
        }
    }

    /// Waits until everything queued so far is stored.
    package func flush() async {
        await withCheckedContinuation { done in
            queue.withLock { $0.flush(done) }?.resume()
        }
    }

    private func perform(_ next: RecordQueue.Step) {
        switch next {
        case .wait:
            break
        case .resume(let ready):
            ready.resume()
        case .start(let ready):
            ready?.resume()
            Task { await drain() }
        }
    }

    /// Stores batch after batch until nothing waits.
    private func drain() async {
        while let batch = queue.withLock({ $0.takeBatch() }) {
            do {
                let cutoff = world.now().addingTimeInterval(
                    -Double(retention.age.components.seconds))
                let limit = retention.count
                let sealed = try batch.map { record in
                    try record.tokens.map { try sealer.seal($0) }
                }
                try await database.write { connection in
                    for (record, tokens) in zip(batch, sealed) {
                        try ExchangeTable.insert(record, tokens, connection)
                    }
                    try ExchangeTotalsTable.add(
                        batch.map(\.exchange), 1, connection)
                    for workspace in Set(batch.map(\.exchange.workspace)) {
                        try ExchangeTable.prune(
                            workspace, to: limit, before: cutoff, connection)
                    }
                }
            } catch {
                world.log(
                    "traffic: \(batch.count) exchanges could not be recorded: "
                        + "\((error as? DatabaseError)?.detail ?? "\(error)")")
            }
            for waiter in queue.withLock({ $0.finishBatch() }) {
                waiter.resume()
            }
        }
    }

    // MARK: Reading

    /// Newest first.
    package func list(_ query: ExchangeQuery) async throws -> ExchangePage {
        await flush()
        return try await database.read { connection in
            try ExchangeTable.list(query, connection)
        }
    }

    package func detail(
        _ id: String, in workspace: String
    ) async throws -> ExchangeDetail? {
        await flush()
        return try await database.read { connection in
            try ExchangeTable.detail(id, workspace, connection)
        }
    }

    /// The exchanges joined by cause with this one, oldest first.
    package func chain(
        of id: String, in workspace: String
    ) async throws -> [Exchange] {
        await flush()
        return try await database.read { connection in
            try ExchangeTable.chain(of: id, workspace, connection)
        }
    }

    /// One sealed token of an exchange, whole; asked for by name only.
    package func reveal(
        token index: Int, of id: String, in workspace: String
    ) async throws -> String? {
        await flush()
        let sealed = try await database.read { connection in
            try ExchangeTable.sealedTokens(of: id, workspace, connection)
        }
        guard sealed.indices.contains(index) else { return nil }
        return try sealer.open(sealed[index])
    }

    /// Forgets the workspace's traffic; answers how many there were.
    package func forget(workspace: String) async throws -> Int {
        await flush()
        return try await database.write { connection in
            try ExchangeTable.forget(workspace, connection)
        }
    }

    /// Numbers for the traffic page's filters, kept, not counted.
    package func totals(workspace: String) async throws -> ExchangeTotals {
        await flush()
        return try await database.read { connection in
            try ExchangeTable.totals(workspace, connection)
        }
    }
}
