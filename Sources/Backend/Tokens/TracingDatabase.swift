import Crypto
package import SQLite

/// The database as used by contracts; lookups are recorded in the request's check trace.
///
/// Reads and writes run on the database's own queues, outside the task, so the trace is passed on
/// explicitly.
package struct TracingDatabase: Sendable {
    let database: Database
    let sessionEndNotifier = SessionEndNotifier()

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value)
        async throws -> Value
    {
        let trace = CheckTrace.current
        return try await database.read { connection in
            try CheckTrace.$current.withValue(trace) { try body(connection) }
        }
    }

    package func write<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value)
        async throws -> Value
    {
        let trace = CheckTrace.current
        let (value, ended) = try await database.write {
            [notifier = sessionEndNotifier] connection in
            let value = try CheckTrace.$current.withValue(trace) { try body(connection) }
            return (value, try notifier.workspacesToNotify(connection))
        }
        sessionEndNotifier.notify(ended)
        return value
    }
}

/// Password hashing as used by contracts; records the result.
package struct TracingPasswordHasher: Sendable {
    let hasher: PasswordHasher

    package func hash(_ password: String) async throws -> String { try await hasher.hash(password) }

    /// False without a hash, in the same time.
    package func verify(_ password: String, against hash: String?) async throws -> Bool {
        let matches = try await hasher.verify(password, against: hash)
        if hash == nil {
            CheckTrace.record(.password, false, "account has no password")
        } else {
            CheckTrace.record(.password, matches, matches ? "matches" : "wrong password")
        }
        return matches
    }
}
