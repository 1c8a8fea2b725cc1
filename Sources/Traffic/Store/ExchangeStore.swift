package import Core
package import Crypto
import FoundationEssentials
package import SQLite
import Synchronization
package import Web

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
    private let debouncer: Debouncer
    private let queue = Mutex(RecordQueue())
    private let sealedTokenCache = Mutex<[String: String]>([:])

    package init(
        database: Database, sealer: Sealer, world: World, retention: Retention = Retention()
    ) {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.retention = retention
        debouncer = Debouncer(after: .milliseconds(250), world)
    }

    /// What is kept, per workspace; the oldest go first, in small steps.
    package struct Retention: Sendable {
        package var count: Int
        package var age: Duration

        package init(count: Int = 5_000, age: Duration = .seconds(7 * 86_400)) {
            self.count = count
            self.age = age
        }
    }

    /// What is kept of a workspace's traffic, for pages that say so.
    package var maxCount: Int { retention.count }

    // MARK: Writing

    /// Takes a record; waits while the queue is full.
    func enqueue(_ record: ExchangeRecord) async {
        let (drain, isFull) = queue.withLock { queue in (queue.add(record), queue.isFull) }
        if let drain { scheduleDrain(drain) }
        guard isFull else { return }
        await withCheckedContinuation { ready in queue.withLock { $0.awaitRoom(ready) }?.resume() }
    }

    /// Waits until everything queued so far is stored.
    package func flush() async {
        await withCheckedContinuation { done in queue.withLock { $0.flush(done) }?.resume() }
    }

    /// Gives whoever sent the request the time to have its answer, and others
    /// the time to come along.
    private func scheduleDrain(_ drain: Int) {
        let pause = Task { [world] in
            try? await world.sleep(.milliseconds(4))
            await self.drain()
        }
        queue.withLock { $0.beginDrain(drain, after: pause) }
    }

    /// Stores batch after batch until nothing waits.
    private func drain() async {
        while let batch = queue.withLock({ $0.takeBatch() }) {
            do { try await store(batch) } catch let error as DatabaseError
                where error.kind == .closed
            {
                world.log(
                    "traffic: \(batch.count) exchanges could not be recorded: \(error.detail)")
            } catch {
                // One may be what the others cannot be stored with.
                for record in batch { await storeIndividually(record) }
            }
            for waiter in queue.withLock({ $0.finishBatch() }) { waiter.resume() }
        }
        scheduleIndexing()
    }

    /// Stores all of `batch` or nothing.
    private func store(_ batch: [ExchangeRecord]) async throws {
        let now = world.now()
        let cutoff = now.addingTimeInterval(-Double(retention.age.components.seconds))
        let limit = retention.count
        let sealed = try batch.map { record in try record.tokens.map(seal) }
        try await database.write { connection in
            for (record, tokens) in zip(batch, sealed) {
                try ExchangeTable.insert(record, tokens, at: now, connection)
            }
            let workspaces = Dictionary(grouping: batch.map(\.exchange), by: \.workspace)
            for (workspace, exchanges) in workspaces {
                try ExchangeTotalsTable.add(
                    ExchangeTotals(of: exchanges), to: workspace, connection)
                try ExchangeTable.prune(workspace, to: limit, before: cutoff, connection)
            }
            try SearchIndex.limitBacklog(connection)
        }
    }

    private func storeIndividually(_ record: ExchangeRecord) async {
        do { try await store([record]) } catch {
            world.log(
                "traffic: exchange \(record.exchange.id) could not be "
                    + "recorded: \(logMessage(for: error))")
        }
    }

    /// `token` sealed, once for many exchanges: a device sends the same one
    /// again and again.
    private func seal(_ token: String) throws -> String {
        if let known = sealedTokenCache.withLock({ $0[token] }) { return known }
        let sealed = try sealer.seal(token)
        sealedTokenCache.withLock { seals in
            if seals.count >= Self.maxCachedSeals { seals = [:] }
            seals[token] = sealed
        }
        return sealed
    }

    /// Some 2 KB each.
    private static let maxCachedSeals = 512

    // MARK: Indexing

    /// Indexes what was stored once nothing followed for a quarter second.
    private func scheduleIndexing() {
        let added = queue.withLock { $0.addedCount }
        debouncer.schedule { [weak self] in
            guard let self else { return }
            guard queue.withLock({ $0.addedCount }) == added else { return scheduleIndexing() }
            do { try await indexPending() } catch let error as DatabaseError
                where error.kind == .closed
            {
                // Nobody searches any more; the next start goes on with it.
            } catch {
                // It is tried again with the next exchange or search.
                world.log(
                    "traffic: the search index could not be brought up to "
                        + "date: \(logMessage(for: error))")
            }
        }
    }

    /// Returns when everything stored before is indexed.
    func indexPending() async throws {
        try await database.writeInSteps(while: SearchIndex.hasPending, SearchIndex.indexNextBatch)
    }

    // MARK: Reading

    /// Newest first.
    package func list(_ query: ExchangeQuery) async throws -> ExchangePage {
        await flush()
        if query.text != nil { try await indexPending() }
        return try await database.read { connection in try ExchangeTable.list(query, connection) }
    }

    package func detail(_ id: String, in workspace: String) async throws -> ExchangeDetail? {
        await flush()
        return try await database.read { connection in
            try ExchangeTable.detail(id, workspace, connection)
        }
    }

    /// The exchanges joined by cause with this one, oldest first.
    package func chain(of id: String, in workspace: String) async throws -> [Exchange] {
        await flush()
        return try await database.read { connection in
            try ExchangeTable.chain(of: id, workspace, connection)
        }
    }

    /// One sealed token of an exchange, whole; asked for by name only.
    package func reveal(token index: Int, of id: String, in workspace: String) async throws
        -> String?
    {
        await flush()
        let sealed = try await database.read { connection in
            try ExchangeTable.sealedTokens(of: id, workspace, connection)
        }
        guard sealed.indices.contains(index) else { return nil }
        do { return try sealer.open(sealed[index]) } catch {
            world.log("traffic: token \(index) of \(id) cannot be read: " + error.detail)
            throw Problem(
                status: 500, code: Problem.sealedTokenCode,
                title: "The recorded token cannot be opened",
                detail: "Token \(index) of this exchange was sealed with "
                    + "another key, or changed. Put a backup of the data "
                    + "folder back, or forget the traffic.")
        }
    }

    /// What ends in the workspace from now on is not kept: it is gone.
    package func stopRecording(workspace: String) { queue.withLock { $0.close(workspace) } }

    /// Forgets the workspace's traffic; answers how many there were.
    package func clear(workspace: String) async throws -> Int {
        await flush()
        return try await database.write { connection in
            try ExchangeTable.clear(workspace, connection)
        }
    }

    /// Every workspace that has or had traffic which is not forgotten.
    package func workspaces() async throws -> Set<String> {
        await flush()
        return Set(
            try await database.read { connection in
                try connection.rows("SELECT workspace FROM exchange_totals") { $0.text(0) }
            })
    }

    /// Numbers for the traffic page's filters, kept, not counted.
    package func totals(workspace: String) async throws -> ExchangeTotals {
        await flush()
        return try await database.read { connection in
            try ExchangeTotalsTable.totals(workspace, connection)
        }
    }
}

extension Problem {
    /// The code of a problem with a token of an exchange.
    package static let sealedTokenCode = "sealed-token"
}
