import Apps
import Core
import Crypto
import FoundationEssentials
import SQLite
import Synchronization
import Traffic
import Web

/// How apps on devices were after each event, so that any moment can be put
/// back: the newest 200 of an app on a device, 20,000 in all.
///
/// A change only leaves its value here; sealing and writing follow a little
/// later, many at once, so that no exchange waits for it. What a kill loses is
/// the way back to moments of its last half second, and nothing else. Of more
/// than 200 changes in that time the oldest are left out.
final class StateHistory: Sendable {
    private let database: Database
    private let sealer: Sealer
    private let world: World
    private let debouncer: Debouncer
    private let flushLock = KeyedLock<Int>()
    private let pending = Mutex<[Entry]>([])

    struct Entry: Sendable {
        let instance: AppInstance
        /// Of `places`.
        let instanceRowID: Int64
        /// The events that told of the change.
        let firstEvent: Int64
        let lastEvent: Int64
        let app: App
        let persisted: PersistedAppState
        let transient: TransientAppState
    }

    private static let batchSize = 200
    private static let maxPerInstance = 200
    private static let maxTotal = 20_000

    init(database: Database, sealer: Sealer, world: World) {
        self.database = database
        self.sealer = sealer
        self.world = world
        debouncer = Debouncer(after: .milliseconds(400), world)
    }

    func record(_ moment: Entry) {
        pending.withLock { waiting in
            if waiting.count >= 2 * Self.batchSize { waiting.removeFirst(Self.batchSize) }
            waiting.append(moment)
        }
        debouncer.schedule { [weak self] in await self?.flush() }
    }

    /// Returns when everything noted before is written.
    func flush() async {
        await flushLock.lock(0)
        defer { flushLock.unlock(0) }
        let moments = pending.withLock { waiting in
            defer { waiting = [] }
            return Array(waiting.suffix(Self.batchSize))
        }
        guard !moments.isEmpty else { return }
        let now = world.now().timeIntervalSince1970
        var rows: [(moment: Entry, body: String)] = []
        for moment in moments {
            let body = AppStateSnapshot.makeJSON(moment.persisted, moment.transient, of: moment.app)
            do { rows.append((moment, try sealer.seal(body.description))) } catch {
                logFailure(moment, error)
            }
        }
        do { try await write(rows, now) } catch {
            // One may be what the others cannot be written with.
            for row in rows {
                do { try await write([row], now) } catch {
                    logFailure(row.moment, error)
                    // Nor will any of the others be.
                    let kind = (error as? DatabaseError)?.kind
                    if kind == .closed { return }
                }
            }
        }
    }

    /// It is not there to be put back, and that is all.
    private func logFailure(_ moment: Entry, _ error: any Error) {
        world.log(
            "moments: how \(moment.instance.app) was on \(moment.instance.device) "
                + "at event \(moment.firstEvent) could not be kept: \(logMessage(for: error))")
    }

    private func write(_ rows: [(moment: Entry, body: String)], _ now: Double) async throws {
        try await database.write { connection in
            for (moment, body) in rows { try Self.write(moment, body, now, connection) }
            for row in Set(rows.map(\.moment.instanceRowID)) { try Self.prune(row, connection) }
        }
    }

    /// How the place with this row was at `event`: after the last change that
    /// was told before it or by it.
    func state(rowID: Int64, at event: Int64) async throws -> JSON? {
        await flush()
        let sealed = try await database.readThrowingProblems { connection in
            try connection.text(
                """
                SELECT body FROM moments WHERE place = ? AND first_event <= ?
                ORDER BY first_event DESC LIMIT 1
                """, [.integer(rowID), .integer(event)])
        }
        guard let sealed else { return nil }
        do { return try JSON(parsing: try sealer.open(sealed)) } catch let error as CryptoError {
            throw Problem(error)
        }
    }

    private static func write(
        _ moment: Entry, _ body: String, _ now: Double, _ connection: Connection
    ) throws {
        // The place may be gone, and its number another's.
        try connection.run(
            """
            INSERT INTO moments (place, first_event, last_event, at, body)
            SELECT id, ?, ?, ?, ? FROM places
            WHERE id = ? AND device = ? AND app = ?
            """,
            [
                .integer(moment.firstEvent), .integer(moment.lastEvent), .real(now),
                .text(body), .integer(moment.instanceRowID),
                .text(moment.instance.device), .text(moment.instance.app),
            ])
    }

    private static func prune(_ row: Int64, _ connection: Connection) throws {
        try connection.run(
            """
            DELETE FROM moments WHERE place = ?1 AND first_event <= (
                SELECT first_event FROM moments WHERE place = ?1
                ORDER BY first_event DESC LIMIT 1 OFFSET ?2)
            """, [.integer(row), .integer(maxPerInstance)])
        try connection.run(
            """
            DELETE FROM moments
            WHERE id <= (SELECT max(id) FROM moments) - ?
            """, [.integer(maxTotal)])
    }
}
