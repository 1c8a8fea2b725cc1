package import SQLite
package import Surroundings

/// The timeline on disk, so that a restart keeps it.
package final class EventLog: Sendable {
    /// Its part of a database's schema history.
    package static let migrations: [Migration] = []

    package init(database: Database) { preconditionFailure("not built yet") }

    /// Puts what was kept back into `hub`, then writes down what follows, in
    /// batches, bounded like the hub itself.
    package func attach(to hub: EventHub) async throws {
        preconditionFailure("not built yet")
    }

    /// Waits until everything published so far is written.
    package func flush() async { preconditionFailure("not built yet") }
}
