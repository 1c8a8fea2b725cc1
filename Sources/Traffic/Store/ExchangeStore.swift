package import Core
package import Crypto
import FoundationEssentials
package import SQLite
import Synchronization
package import Web

/// Stores the recorded exchanges, limited by count and age; searches them and pages by key.
///
/// Records wait in a queue bounded in bytes and are stored in batches. A reader first waits for the
/// records that were queued before its call, so a read always includes everything recorded before
/// it.
package final class ExchangeStore: Sendable {
    let database: Database
    let sealer: Sealer
    private let world: World
    /// The retention of a workspace's exchanges: their number and age. The oldest are deleted
    /// first, in small steps.
    package let maxCount: Int
    private let maxAge: Duration
    private let debouncer: Debouncer
    private let queue = Mutex(RecordQueue())
    private let pausedWorkspaces = Mutex<Set<String>>([])
    /// When exchanges were last searched.
    private let lastSearch = Mutex<Date?>(nil)
    /// The seconds after a search in which the index is kept up to date for the next one.
    private static let searchInterval: TimeInterval = 600
    /// Entries of about 2 KB each.
    private let sealedTokens = SharedCache<String, String>(capacity: 512)

    package init(
        database: Database, sealer: Sealer, world: World, maxCount: Int = 5_000,
        maxAge: Duration = .seconds(7 * 86_400)
    ) {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.maxCount = maxCount
        self.maxAge = maxAge
        debouncer = Debouncer(after: .milliseconds(250), world)
    }

    // MARK: Writing

    /// Queues a record; pauses while many are queued, and waits while the queue is full.
    func enqueue(_ record: ExchangeRecord) async {
        let admission = queue.withLock { queue in
            queue.add(record, startDrain)
            return queue.admission
        }
        switch admission {
        case .immediate: break
        case .paced: try? await world.sleep(.milliseconds(8))
        case .full:
            await withCheckedContinuation { ready in
                queue.withLock { $0.awaitRoom(ready) }?.resume()
            }
        }
    }

    /// Waits until everything queued so far is stored.
    package func flush() async {
        await withCheckedContinuation { done in queue.withLock { $0.flush(done) }?.resume() }
    }

    private func startDrain(after delay: Duration) -> Task<Void, Never> {
        Task { [world] in
            try? await world.sleep(delay)
            await self.drain()
        }
    }

    /// Stores the queued records in batches.
    private func drain() async {
        var continues = true
        while continues {
            let (batch, admitted) = queue.withLock { $0.takeBatch() }
            for waiter in admitted { waiter.resume() }
            do { try await store(batch) } catch let error as DatabaseError
                where error.kind == .closed
            {
                world.log("traffic: \(batch.count) requests could not be recorded: \(error.detail)")
            } catch {
                // One invalid record may be what prevents the others from being stored.
                for record in batch {
                    do { try await store([record]) } catch {
                        world.log(
                            "traffic: request \(record.detail.exchange.id) could not be recorded: "
                                + "\(logMessage(for: error))")
                    }
                }
            }
            let woken: [RecordQueue.Waiter]
            (woken, continues) = queue.withLock { $0.finishBatch(startDrain) }
            for waiter in woken { waiter.resume() }
        }
        scheduleIndexing()
    }

    /// Stores all of `batch` or nothing.
    private func store(_ batch: [ExchangeRecord]) async throws {
        let now = world.now()
        let cutoff = now.addingTimeInterval(-(maxAge / .seconds(1)))
        let sealed = try batch.map { record in try record.tokens.map(seal) }
        try await database.write { [maxCount] connection in
            let workspaces = Dictionary(grouping: batch.map(\.detail.exchange), by: \.workspace)
            // First, so that the new exchanges use the pages of the old ones.
            for (workspace, exchanges) in workspaces {
                try ExchangeTotals(of: exchanges).store(in: workspace, connection)
                try ExchangeTable.prune(workspace, to: maxCount, before: cutoff, connection)
            }
            for (record, tokens) in zip(batch, sealed) {
                try ExchangeTable.insert(record.detail, tokens, at: now, connection)
            }
            // A batch of more than the limit also replaces a part of itself.
            for (workspace, exchanges) in workspaces where exchanges.count > maxCount {
                try ExchangeTable.prune(workspace, to: maxCount, before: cutoff, connection)
            }
            try SearchIndex.limitBacklog(connection)
        }
    }

    /// Returns `token` sealed. Cached, because a device sends the same token many times.
    private func seal(_ token: String) throws -> String {
        try sealedTokens.value(for: token) { try sealer.seal(token) }
    }

    /// Discards exchanges that finish in the workspace after this call: the workspace has been
    /// deleted.
    package func stopRecording(workspace: String) {
        queue.withLock { $0.close(workspace) }
        setRecording(true, in: workspace)
    }

    /// Whether the workspace's exchanges are recorded; false while recording is paused.
    package func isRecording(in workspace: String) -> Bool {
        pausedWorkspaces.withLock { !$0.contains(workspace) }
    }

    /// Pauses or resumes recording, until the next start. Returns whether that was a change.
    @discardableResult package func setRecording(_ isRecording: Bool, in workspace: String) -> Bool
    {
        pausedWorkspaces.withLock { paused in
            isRecording
                ? paused.remove(workspace) != nil : paused.insert(workspace).inserted
        }
    }

    /// Deletes the workspace's exchanges; returns their number.
    package func clear(workspace: String) async throws -> Int {
        await flush()
        return try await database.write { connection in
            let values: [Value] = [.text(workspace)]
            try SearchIndex.remove("workspace = ?", values, connection)
            try connection.run("DELETE FROM exchanges WHERE workspace = ?", values)
            let count = connection.changedRowCount
            try connection.run("DELETE FROM exchange_totals WHERE workspace = ?", values)
            return count
        }
    }

    /// Deletes the workspace's exchanges with these ids; returns their number.
    package func delete(_ ids: [String], in workspace: String) async throws -> Int {
        await flush()
        return try await database.write { connection in
            try ExchangeTable.delete(
                "workspace = ? AND id IN (SELECT value FROM json_each(?))",
                [.text(workspace), .text(JSON.array(ids.map(JSON.string)).description)],
                of: workspace, connection)
        }
    }

    /// Deletes the exchanges on all pages of a list, in small steps; returns their number.
    package func delete(_ query: ExchangeQuery) async throws -> Int {
        if query.readsTextIndex { try await prepareSearch() }
        await flush()
        var query = query
        query.sort = .init()
        let newest = try await database.read { connection in
            try connection.integer("SELECT max(sequence) FROM exchanges") ?? 0
        }
        var count = 0
        while true {
            let deleted = try await database.write { [query] connection in
                let filter = try ExchangeFilter(query, connection)
                let sequences = try connection.rows(
                    """
                    SELECT e.sequence FROM \(filter.source) WHERE \(filter.conditions.sql) AND \
                    \(filter.pageKey) <= ? ORDER BY \(filter.pageKey) DESC LIMIT 512
                    """, filter.conditions.values + [.integer(newest)]
                ) { $0.integer(0) }
                return try ExchangeTable.delete(
                    "sequence IN (SELECT value FROM json_each(?))",
                    [.text(JSON.array(sequences.map(JSON.int)).description)],
                    of: query.workspace, connection)
            }
            guard deleted > 0 else { return count }
            count += deleted
        }
    }

    // MARK: Indexing

    /// Indexes stored exchanges after a quarter second without new ones, if a search was made
    /// lately: most exchanges are pruned without ever having been searched.
    private func scheduleIndexing() {
        let isSearched = lastSearch.withLock { last in
            last.map { world.now().timeIntervalSince($0) < Self.searchInterval } ?? false
        }
        guard isSearched else { return }
        let added = queue.withLock { $0.addedCount }
        debouncer.schedule { [weak self] in
            guard let self else { return }
            guard queue.withLock({ $0.addedCount }) == added else { return scheduleIndexing() }
            await updateSearchIndex(of: "traffic", world, indexPending)
        }
    }

    /// Indexes what an earlier run left pending, so that the first search need not: from a second
    /// after the start on, in pieces that other writes hardly wait for.
    package func indexEarlierExchanges() async {
        await updateSearchIndex(of: "traffic", world) {
            let last = try await database.read { connection in
                try connection.integer("SELECT max(sequence) FROM exchanges") ?? 0
            }
            try await world.sleep(.seconds(1))
            while try await database.read({ try SearchIndex.hasPending($0, upTo: last) }) {
                try await database.write { try SearchIndex.indexNextBatch($0, count: 128) }
                try await world.sleep(.milliseconds(10))
            }
        }
    }

    /// Returns when every exchange recorded before the call can be searched.
    func prepareSearch() async throws {
        lastSearch.withLock { $0 = world.now() }
        await flush()
        try await indexPending()
    }

    /// Returns when every exchange stored before the call is indexed.
    func indexPending() async throws {
        try await database.writeInSteps(while: { try SearchIndex.hasPending($0) }) {
            try SearchIndex.indexNextBatch($0)
        }
    }

    // MARK: Tokens

    /// Returns one token of an exchange, decrypted and unmasked. Callers request it explicitly;
    /// lists and details only contain masked forms.
    package func reveal(token index: Int, of id: String, in workspace: String) async throws
        -> String?
    {
        let sealed = try await readAll { connection in
            try connection.row(
                "SELECT sealed FROM exchanges WHERE id = ? AND workspace = ?",
                [.text(id), .text(workspace)]
            ) { row -> [String] in ExchangeTable.decode(row.text(0)) } ?? []
        }
        guard sealed.indices.contains(index) else { return nil }
        do { return try sealer.open(sealed[index]) } catch {
            world.log("traffic: token \(index) of \(id) cannot be decrypted: " + error.detail)
            throw Problem(
                status: 500, code: Problem.sealedTokenCode,
                title: "The recorded token cannot be decrypted",
                detail: "Token \(index) of this request was encrypted with another key, or "
                    + "modified. Restore a backup of the data folder, or clear the traffic.")
        }
    }

    /// An exchange's unmasked tokens by index; the masked form if none is stored. Throws if one
    /// cannot be decrypted.
    package func unmaskedTokens(of detail: ExchangeDetail) async throws -> [String] {
        var tokens: [String] = []
        for (index, masked) in detail.tokens.enumerated() {
            let unmasked = try await reveal(
                token: index, of: detail.exchange.id, in: detail.exchange.workspace)
            tokens.append(unmasked ?? masked)
        }
        return tokens
    }
}

extension Problem {
    /// The problem code of a recorded token that cannot be decrypted.
    package static let sealedTokenCode = "sealed-token"
}

/// Runs an update of a search index, and logs its failure unless the database was closed: the next
/// write, search or start continues it.
package func updateSearchIndex(
    of name: String, _ world: World, _ update: () async throws -> Void
) async {
    do { try await update() } catch {
        guard (error as? DatabaseError)?.kind != .closed, !Task.isCancelled else { return }
        world.log("\(name): the search index could not be updated: \(logMessage(for: error))")
    }
}

/// An error as one log line. Contains the error's own description, never the data it concerned.
package func logMessage(for error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.detail
    case let error as CryptoError: error.detail
    case let problem as Problem: "\(problem.title): \(problem.detail)"
    default: "\(type(of: error))"
    }
}
