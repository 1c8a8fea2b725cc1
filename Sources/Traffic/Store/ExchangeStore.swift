package import Secrets
package import SQLite
package import Surroundings

/// The recorded exchanges: bounded by count and age, searched, paged by key.
package final class ExchangeStore: Sendable {
    /// Its part of a database's schema history.
    package static let migrations: [Migration] = []

    package init(
        database: Database, sealer: Sealer, world: World,
        retention: Retention = Retention()
    ) {
        preconditionFailure("not built yet")
    }

    /// What is kept, per workspace; the oldest go first, in small steps.
    package struct Retention: Sendable {
        package var count: Int = 5_000
        package var age: Duration = .seconds(7 * 86_400)
        package init() {}
    }

    /// Newest first.
    package func list(_ query: ExchangeQuery) async throws -> ExchangePage {
        preconditionFailure("not built yet")
    }

    package func detail(
        _ id: String, in workspace: String
    ) async throws -> ExchangeDetail? {
        preconditionFailure("not built yet")
    }

    /// The exchanges joined by cause with this one, oldest first.
    package func chain(
        of id: String, in workspace: String
    ) async throws -> [Exchange] {
        preconditionFailure("not built yet")
    }

    /// One sealed token of an exchange, whole; asked for by name only.
    package func reveal(
        token index: Int, of id: String, in workspace: String
    ) async throws -> String? {
        preconditionFailure("not built yet")
    }

    /// Forgets the workspace's traffic; answers how many there were.
    package func forget(workspace: String) async throws -> Int {
        preconditionFailure("not built yet")
    }

    /// Numbers for the traffic page's filters, kept, not counted.
    package func totals(workspace: String) async throws -> ExchangeTotals {
        preconditionFailure("not built yet")
    }
}
