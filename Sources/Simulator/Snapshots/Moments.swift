import Apps
import FoundationEssentials
import SQLite
import Secrets
import Surroundings
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
final class Moments: Sendable {
    private let database: Database
    private let sealer: Sealer
    private let world: World
    private let later: Later
    private let turns = Gate<Int>()
    private let waiting = Mutex<[Moment]>([])

    struct Moment: Sendable {
        let place: Place
        /// Of `places`.
        let row: Int64
        /// The events that told of the change.
        let first: Int64
        let last: Int64
        let app: App
        let kept: Kept
        let shown: Shown
    }

    private static let bound = 200
    private static let perPlace = 200
    private static let inAll = 20_000

    init(database: Database, sealer: Sealer, world: World) {
        self.database = database
        self.sealer = sealer
        self.world = world
        later = Later(after: .milliseconds(400), world)
    }

    func note(_ moment: Moment) {
        waiting.withLock { waiting in
            if waiting.count >= 2 * Self.bound { waiting.removeFirst(Self.bound) }
            waiting.append(moment)
        }
        later.ask { [weak self] in await self?.flush() }
    }

    /// Returns when everything noted before is written.
    func flush() async {
        await turns.enter(0)
        defer { turns.leave(0) }
        let moments = waiting.withLock { waiting in
            defer { waiting = [] }
            return Array(waiting.suffix(Self.bound))
        }
        guard !moments.isEmpty else { return }
        let now = world.now().timeIntervalSince1970
        var rows: [(moment: Moment, body: String)] = []
        for moment in moments {
            let body = Restored.body(moment.kept, moment.shown, of: moment.app)
            do { rows.append((moment, try sealer.seal(body.description))) } catch {
                lost(moment, error)
            }
        }
        do { try await write(rows, now) } catch {
            // One may be what the others cannot be written with.
            for row in rows {
                do { try await write([row], now) } catch {
                    lost(row.moment, error)
                    // Nor will any of the others be.
                    let kind = (error as? DatabaseError)?.kind
                    if kind == .closed { return }
                }
            }
        }
    }

    /// It is not there to be put back, and that is all.
    private func lost(_ moment: Moment, _ error: any Error) {
        world.log(
            "moments: how \(moment.place.app) was on \(moment.place.device) "
                + "at event \(moment.first) could not be kept: \(words(of: error))")
    }

    private func write(_ rows: [(moment: Moment, body: String)], _ now: Double) async throws {
        try await database.write { connection in
            for (moment, body) in rows { try Self.write(moment, body, now, connection) }
            for row in Set(rows.map(\.moment.row)) { try Self.prune(row, connection) }
        }
    }

    /// How the place with this row was at `event`: after the last change that
    /// was told before it or by it.
    func body(row: Int64, at event: Int64) async throws -> JSON? {
        await flush()
        let sealed = try await database.reading { connection in
            try connection.text(
                """
                SELECT body FROM moments WHERE place = ? AND first_event <= ?
                ORDER BY first_event DESC LIMIT 1
                """, [.integer(row), .integer(event)])
        }
        guard let sealed else { return nil }
        do { return try JSON(parsing: try sealer.open(sealed)) } catch let error as SecretsError {
            throw Problem(error)
        }
    }

    private static func write(
        _ moment: Moment, _ body: String, _ now: Double, _ connection: Connection
    ) throws {
        // The place may be gone, and its number another's.
        try connection.run(
            """
            INSERT INTO moments (place, first_event, last_event, at, body)
            SELECT id, ?, ?, ?, ? FROM places
            WHERE id = ? AND device = ? AND app = ?
            """,
            [
                .integer(moment.first), .integer(moment.last), .real(now),
                .text(body), .integer(moment.row),
                .text(moment.place.device), .text(moment.place.app),
            ])
    }

    private static func prune(_ row: Int64, _ connection: Connection) throws {
        try connection.run(
            """
            DELETE FROM moments WHERE place = ?1 AND first_event <= (
                SELECT first_event FROM moments WHERE place = ?1
                ORDER BY first_event DESC LIMIT 1 OFFSET ?2)
            """, [.integer(row), .integer(perPlace)])
        try connection.run(
            """
            DELETE FROM moments
            WHERE id <= (SELECT max(id) FROM moments) - ?
            """, [.integer(inAll)])
    }
}
