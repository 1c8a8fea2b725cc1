import SQLite

extension Migration {
    /// A request that outlives its workspace writes nothing: whatever begins
    /// something in a workspace finds it there, in the same write.
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
