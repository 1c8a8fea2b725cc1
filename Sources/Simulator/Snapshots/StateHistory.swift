import Apps
import Core
import Crypto
import FoundationEssentials
import SQLite
import Synchronization
import Traffic
import Web

/// The states of apps on devices after each event, for restores: the newest 200 per app on a
/// device, 20,000 in total.
///
/// A change only adds an entry here; sealing and writing follow 400 ms later in batches, so that no
/// exchange waits for it. A kill loses only the states of its last half second. Of more than 200
/// changes in that time the oldest are dropped.
final class StateHistory: Sendable {
    private let database: Database
    private let sealer: Sealer
    private let world: World
    private let debouncer: Debouncer
    private let flushLock = KeyedLock<Int>()
    private let pending = Mutex<[StateRecord]>([])

    private static let batchSize = 200
    private static let maxPerInstance = 200
    private static let maxTotal = 20_000

    init(database: Database, sealer: Sealer, world: World) {
        self.database = database
        self.sealer = sealer
        self.world = world
        debouncer = Debouncer(after: .milliseconds(400), world)
    }

    func record(_ entry: StateRecord) {
        pending.withLock { queue in
            if queue.count >= 2 * Self.batchSize { queue.removeFirst(Self.batchSize) }
            queue.append(entry)
        }
        debouncer.schedule { [weak self] in await self?.flush() }
    }

    /// Returns when all earlier entries are written.
    func flush() async {
        await flushLock.lock(0)
        defer { flushLock.unlock(0) }
        let entries = pending.withLock { queue in
            defer { queue = [] }
            return Array(queue.suffix(Self.batchSize))
        }
        guard !entries.isEmpty else { return }
        let now = world.now().timeIntervalSince1970
        var rows: [(moment: StateRecord, body: String)] = []
        for entry in entries {
            let body = AppStateSnapshot.makeJSON(
                entry.change.new, entry.transient, of: entry.change.app)
            do { rows.append((entry, try sealer.seal(body.description))) } catch {
                logFailure(entry, error)
            }
        }
        do { try await write(rows, now) } catch {
            // One entry may prevent writing the others.
            for row in rows {
                do { try await write([row], now) } catch {
                    logFailure(row.moment, error)
                    // The others would fail too.
                    let kind = (error as? DatabaseError)?.kind
                    if kind == .closed { return }
                }
            }
        }
    }

    /// The state cannot be restored; nothing else is affected.
    private func logFailure(_ entry: StateRecord, _ error: any Error) {
        let instance = entry.change.instance
        world.log(
            "state history: the state of \(instance.app) on \(instance.device) "
                + "at event \(entry.firstEvent) could not be stored: \(logMessage(for: error))")
    }

    private func write(_ rows: [(moment: StateRecord, body: String)], _ now: Double) async throws {
        try await database.write { connection in
            for (entry, body) in rows {
                let instance = entry.change.instance
                // The row may be deleted, and its id reused.
                try connection.run(
                    """
                    INSERT INTO moments (place, first_event, last_event, at, body)
                    SELECT id, ?, ?, ?, ? FROM places
                    WHERE id = ? AND device = ? AND app = ?
                    """,
                    [
                        .integer(entry.firstEvent), .integer(entry.lastEvent), .real(now),
                        .text(body), .integer(entry.change.new.rowID), .text(instance.device),
                        .text(instance.app),
                    ])
            }
            for row in Set(rows.compactMap(\.moment.change.new.rowID)) {
                try connection.run(
                    """
                    DELETE FROM moments WHERE place = ?1 AND first_event <= (
                        SELECT first_event FROM moments WHERE place = ?1
                        ORDER BY first_event DESC LIMIT 1 OFFSET ?2)
                    """, [.integer(row), .integer(Self.maxPerInstance)])
            }
            try connection.run(
                """
                DELETE FROM moments
                WHERE id <= (SELECT max(id) FROM moments) - ?
                """, [.integer(Self.maxTotal)])
        }
    }

    /// The state of the instance with this row at `event`: after the last change published up to
    /// it.
    func state(rowID: Int64, at event: Int64) async throws -> JSON? {
        await flush()
        let sealed = try await database.text(
            """
            SELECT body FROM moments WHERE place = ? AND first_event <= ?
            ORDER BY first_event DESC LIMIT 1
            """, [.integer(rowID), .integer(event)])
        return try sealed.map { try JSON(parsing: try sealer.openThrowingProblems($0)) }
    }
}
