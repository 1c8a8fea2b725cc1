import SQLite

/// The database as contracts use it: what is looked up in it is noted on the
/// trail of the request it is looked up for, whose task ends at the
/// database's own queues.
struct TracingDatabase: Sendable {
    let database: Database
    let sessionEndNotifier = SessionEndNotifier()

    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value)
        async throws -> Value
    {
        let trail = CheckTrace.current
        return try await database.read { connection in
            try CheckTrace.$current.withValue(trail) { try body(connection) }
        }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value)
        async throws -> Value
    {
        let trail = CheckTrace.current
        let (value, ended) = try await database.write { [ends = sessionEndNotifier] connection in
            let value = try CheckTrace.$current.withValue(trail) { try body(connection) }
            return (value, try ends.workspacesToNotify(connection))
        }
        sessionEndNotifier.notify(ended)
        return value
    }
}
