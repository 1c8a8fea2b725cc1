import SQLite

extension Migration {
    /// Whose sessions ended, or are gone, until the console has looked: by
    /// whatever way it came about, so that no contract can forget to tell.
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

    /// The same of accounts that are not what their tokens say any more.
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
