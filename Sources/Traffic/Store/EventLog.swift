package import Core
package import SQLite
import Synchronization
import Web

/// Persists the timeline so that it survives a restart.
///
/// Events are written half a second after the first new one, from what the hub still holds: under
/// load most events are never written, because the hub has already dropped them. A killed process
/// loses at most that half second of its timeline, and never issues an id twice.
package final class EventLog: Sendable {
    private let database: Database
    private let world: World
    private let debouncer: Debouncer
    private let state = Mutex(State())

    private struct State {
        var lastWrittenIDs: [String: Int64] = [:]
        var hub: EventHub?
    }

    /// Ids reserved beyond the newest written one; more than can be issued between two writes.
    private static let reservedIDCount: Int64 = 1_000_000

    package init(database: Database, world: World) {
        self.database = database
        self.world = world
        debouncer = Debouncer(after: .milliseconds(500), world)
    }

    /// Restores the stored events into `hub`, then writes the events that follow.
    package func attach(to hub: EventHub) async throws {
        let (events, reserved) = try await database.read { connection in
            (
                try connection.rows(
                    """
                    SELECT id, workspace, at, kind, app, device, cause, \
                    subject, title, facts FROM events ORDER BY workspace, id
                    """, [], Self.event),
                try connection.rows("SELECT workspace, reserved FROM event_ids", []) {
                    ($0.text(0), $0.integer(1))
                }
            )
        }
        let storedEvents = Dictionary(grouping: events.compactMap(\.self)) { $0.workspace }
        for (workspace, lastID) in reserved {
            hub.restore(storedEvents[workspace] ?? [], lastID: lastID, in: workspace)
        }
        state.withLock { state in
            state.hub = hub
            for (workspace, lastID) in reserved { state.lastWrittenIDs[workspace] = lastID }
        }
        hub.observe { [weak self] _ in
            self?.debouncer.schedule { [weak self] in await self?.flush() }
        }
    }

    /// Writes the events published so far and waits until they are stored.
    package func flush() async {
        guard let hub = state.withLock({ $0.hub }) else { return }
        let lastIDs = hub.lastIDs()
        let removed = state.withLock { state in
            let removed = state.lastWrittenIDs.keys.filter { lastIDs[$0] == nil }
            for workspace in removed { state.lastWrittenIDs[workspace] = nil }
            return removed
        }
        for workspace in removed { await clear(workspace) }
        for (workspace, lastID) in lastIDs {
            let writtenID = state.withLock { $0.lastWrittenIDs[workspace] ?? 0 }
            guard lastID > writtenID else { continue }
            let events = hub.events(in: workspace, after: writtenID)
            let oldest = hub.oldestID(in: workspace)
            do {
                try await database.write { connection in
                    for event in events { try Self.insert(event, connection) }
                    try connection.run(
                        "DELETE FROM events WHERE workspace = ? AND id < ?",
                        [.text(workspace), .integer(oldest)])
                    try connection.run(
                        """
                        INSERT INTO event_ids VALUES (?, ?) ON CONFLICT (workspace) DO UPDATE SET \
                        reserved = excluded.reserved
                        """, [.text(workspace), .integer(lastID + Self.reservedIDCount)])
                }
                state.withLock { $0.lastWrittenIDs[workspace] = events.last?.id ?? lastID }
            } catch { world.log("timeline: could not be written: \(error)") }
        }
    }

    /// Deletes the timeline of a workspace that no longer exists, for instance when its lease
    /// expired.
    private func clear(_ workspace: String) async {
        do {
            try await database.write { connection in
                try connection.run("DELETE FROM events WHERE workspace = ?", [.text(workspace)])
                try connection.run("DELETE FROM event_ids WHERE workspace = ?", [.text(workspace)])
            }
        } catch { world.log("timeline: could not be cleared: \(error)") }
    }

    private static func insert(_ event: Event, _ connection: Connection) throws {
        try connection.run(
            "INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(event.workspace), .integer(event.id), .date(event.at),
                .text(event.kind.rawValue), .text(event.app), .text(event.device),
                .integer(event.cause), .text(event.subject), .text(event.title),
                .text(JSON.text(sorting: event.details)),
            ])
    }

    /// Nil if this version does not know the kind.
    private static func event(_ row: Row) -> Event? {
        guard let kind = Event.Kind(rawValue: row.text(3)) else { return nil }
        let details = (try? JSON(parsing: row.text(9)))?.texts ?? [:]
        return Event(
            id: row.integer(0), at: row.date(2), workspace: row.text(1), kind: kind,
            app: row.optionalText(4), device: row.optionalText(5), cause: row.optionalInteger(6),
            subject: row.optionalText(7), title: row.text(8), details: details)
    }
}
