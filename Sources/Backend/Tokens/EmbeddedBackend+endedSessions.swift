import SQLite

extension EmbeddedBackend {
    /// Has `note` called with a workspace after every write that ended a
    /// session of it or changed an account; there is one observer.
    package func observeEndedSessions(_ note: @escaping @Sendable (String) -> Void) {
        context.database.sessionEndNotifier.observe(note)
    }

    /// Where something ended that was not looked at yet.
    package func workspacesWithEndedSessions() async throws -> Set<String> {
        try await context.database.read { connection in
            try SessionEndNotifier.workspacesWithEndedSessions(connection)
        }
    }

    /// Accounts of which a session ended since somebody last looked, and how
    /// far this looked; nil where none did.
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

    /// These were looked at; one that ended again since is not forgotten.
    package func clearEndedSessions(in workspace: String, upTo sequence: Int64) async throws {
        try await context.database.write { connection in
            try connection.run(
                """
                DELETE FROM session_ends WHERE workspace = ? AND sequence <= ?
                """, [.text(workspace), .integer(sequence)])
        }
    }
}
