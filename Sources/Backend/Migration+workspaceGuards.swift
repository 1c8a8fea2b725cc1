import SQLite

extension Migration {
    /// Rejects inserts into a workspace that no longer exists. A request that outlasts its
    /// workspace writes nothing, because the check is part of the same write.
    static let workspaceGuards = Migration(
        "backend-workspaces",
        sql: [
            "accounts", "challenges", "mails", "mail_requests", "snapshots", "switches",
            "token_lives",
        ].map { table in
            """
            CREATE TRIGGER \(table)_somewhere BEFORE INSERT ON \(table)
            WHEN NOT EXISTS (
                SELECT 1 FROM workspaces WHERE id = new.workspace)
            BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
            """
        }.joined(separator: "\n"))
}
