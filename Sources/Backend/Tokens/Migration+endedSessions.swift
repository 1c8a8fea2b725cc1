import SQLite

extension Migration {
    /// Queue of accounts whose sessions ended or were deleted, for the console to process. Triggers
    /// fill it, so no contract can forget to.
    static let endedSessions = Migration(
        "session-ends-1",
        sql: """
            CREATE TABLE session_ends (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                workspace TEXT NOT NULL,
                account TEXT NOT NULL,
                UNIQUE (workspace, account)
            ) STRICT;
            CREATE TRIGGER sessions_end AFTER UPDATE OF revoked_at ON sessions
            WHEN new.revoked_at IS NOT old.revoked_at BEGIN
                INSERT OR REPLACE INTO session_ends (workspace, account)
                VALUES (new.workspace, new.account);
            END;
            CREATE TRIGGER sessions_gone AFTER DELETE ON sessions BEGIN
                INSERT OR REPLACE INTO session_ends (workspace, account)
                VALUES (old.workspace, old.account);
            END;
            """)

    /// Also queues accounts whose state no longer matches the claims of their tokens.
    static let accountChanges = Migration(
        "session-ends-2",
        sql: """
            CREATE TRIGGER accounts_other AFTER UPDATE
                OF email, email_verified_at, disabled_at ON accounts
            WHEN new.email IS NOT old.email
                OR new.email_verified_at IS NOT old.email_verified_at
                OR new.disabled_at IS NOT old.disabled_at
            BEGIN
                INSERT OR REPLACE INTO session_ends (workspace, account)
                VALUES (new.workspace, new.id);
            END;
            """)
}
