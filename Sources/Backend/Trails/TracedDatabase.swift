import SQLite

/// The database as contracts use it: what is looked up in it is noted on the
/// trail of the request it is looked up for, whose task ends at the
/// database's own queues.
struct TracedDatabase: Sendable {
    let plain: Database
    let ends = SessionEnds()

    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value)
        async throws -> Value
    {
        let trail = Trail.current
        return try await plain.read { connection in
            try Trail.$current.withValue(trail) { try body(connection) }
        }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value)
        async throws -> Value
    {
        let trail = Trail.current
        let (value, ended) = try await plain.write { [ends] connection in
            let value = try Trail.$current.withValue(trail) { try body(connection) }
            return (value, try ends.waiting(connection))
        }
        ends.tell(ended)
        return value
    }
}
