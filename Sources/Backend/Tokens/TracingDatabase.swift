import Crypto
package import SQLite
import Synchronization

/// The database as used by contracts; lookups are recorded in the request's check trace.
///
/// Reads and writes run on the database's own queues, outside the task, so the trace is passed on
/// explicitly.
package struct TracingDatabase: Sendable {
    let database: Database
    let sessionEndNotifier = SessionEndNotifier()

    package func read<Value: Sendable>(
        isLong: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        let trace = CheckTrace.current
        return try await database.read(isLong: isLong) { connection in
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

extension EmbeddedBackend {
    /// Calls `note` with a workspace after every write that ended one of its sessions or changed an
    /// account. There is one observer.
    package func observeEndedSessions(_ note: @escaping @Sendable (String) -> Void) {
        context.database.sessionEndNotifier.observe(note)
    }

    /// Workspaces with ended sessions that are not yet processed.
    package func workspacesWithEndedSessions() async throws -> Set<String> {
        try await context.database.read { connection in
            try SessionEndNotifier.workspacesWithEndedSessions(connection)
        }
    }

    /// Accounts whose sessions ended since the last processing, at most 500, with the sequence read
    /// up to; nil if there are none.
    package func accountsWithEndedSessions(in workspace: String) async throws -> (
        accounts: [String], upTo: Int64
    )? {
        let found = try await context.database.read { connection in
            try connection.rows(
                """
                SELECT account, sequence FROM session_ends
                WHERE workspace = ? ORDER BY sequence LIMIT 500
                """, [.text(workspace)]
            ) { ($0.text(0), $0.integer(1)) }
        }
        return found.last.map { (found.map(\.0), $0.1) }
    }

    /// Marks accounts as processed up to `sequence`; one whose session ended again since stays
    /// queued.
    package func clearEndedSessions(in workspace: String, upTo sequence: Int64) async throws {
        try await context.database.write { connection in
            try connection.run(
                "DELETE FROM session_ends WHERE workspace = ? AND sequence <= ?",
                [.text(workspace), .integer(sequence)])
        }
    }
}

/// Notifies an observer of workspaces in which sessions ended or accounts changed, after the
/// commit.
final class SessionEndNotifier: Sendable {
    private let observer = Mutex<(@Sendable (String) -> Void)?>(nil)

    func observe(_ note: @escaping @Sendable (String) -> Void) { observer.withLock { $0 = note } }

    /// Reads inside the write, so that its own changes are included; empty without an observer.
    func workspacesToNotify(_ connection: Connection) throws -> Set<String> {
        guard observer.withLock({ $0 != nil }) else { return [] }
        return try Self.workspacesWithEndedSessions(connection)
    }

    func notify(_ workspaces: Set<String>) {
        guard !workspaces.isEmpty, let note = observer.withLock(\.self) else { return }
        for workspace in workspaces { note(workspace) }
    }

    static func workspacesWithEndedSessions(_ connection: Connection) throws -> Set<String> {
        Set(try connection.rows("SELECT workspace FROM session_ends") { $0.text(0) })
    }
}
