package import SQLite

extension EmbeddedBackend {
    /// The schema history of the backend's database.
    ///
    /// Times are whole milliseconds since 1970. Secrets that are only ever compared are SHA-256
    /// digests; those that must be read again (private keys, caught mail with its links) are
    /// sealed. Released names stay: `kept_…` are the rows of snapshots, `flows` the PKCE flows,
    /// `token_lives` the token lifetimes.
    package static let migrations: [Migration] = [
        Migration(
            "backend-1",
            sql: """
                CREATE TABLE workspaces (
                    id TEXT PRIMARY KEY
                ) STRICT, WITHOUT ROWID;
                INSERT INTO workspaces VALUES ('main');

                CREATE TABLE signing_keys (
                    id TEXT PRIMARY KEY,
                    contract TEXT NOT NULL,
                    role TEXT NOT NULL,
                    sealed TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    UNIQUE (contract, role)
                ) STRICT;

                CREATE TABLE accounts (
                    id TEXT PRIMARY KEY,
                    workspace TEXT NOT NULL,
                    contract TEXT NOT NULL,
                    email TEXT,
                    password_hash TEXT,
                    email_verified_at INTEGER,
                    disabled_at INTEGER,
                    locked_until INTEGER,
                    profile TEXT NOT NULL,
                    device_id TEXT,
                    created_at INTEGER NOT NULL,
                    last_login_at INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE UNIQUE INDEX accounts_by_email
                    ON accounts (workspace, contract, email);
                CREATE UNIQUE INDEX accounts_by_device
                    ON accounts (workspace, contract, device_id);

                CREATE TABLE sessions (
                    id TEXT PRIMARY KEY,
                    account TEXT NOT NULL
                        REFERENCES accounts ON DELETE CASCADE,
                    workspace TEXT NOT NULL,
                    contract TEXT NOT NULL,
                    generation INTEGER NOT NULL,
                    facts TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    refreshed_at INTEGER,
                    revoked_at INTEGER,
                    revoked_because TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX sessions_by_account ON sessions (account);

                CREATE TABLE refresh_tokens (
                    digest TEXT PRIMARY KEY,
                    session TEXT NOT NULL
                        REFERENCES sessions ON DELETE CASCADE,
                    generation INTEGER NOT NULL,
                    issued_at INTEGER NOT NULL,
                    used_at INTEGER,
                    UNIQUE (session, generation)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE mails (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    workspace TEXT NOT NULL,
                    contract TEXT NOT NULL,
                    recipient TEXT NOT NULL,
                    purpose TEXT NOT NULL,
                    subject TEXT NOT NULL,
                    expires_at INTEGER,
                    used_at INTEGER,
                    sent_at INTEGER NOT NULL,
                    sealed TEXT NOT NULL
                ) STRICT;
                CREATE INDEX mails_by_workspace
                    ON mails (workspace, sequence);
                CREATE INDEX mails_by_recipient
                    ON mails (workspace, recipient, sequence);

                CREATE TABLE challenges (
                    digest TEXT PRIMARY KEY,
                    account TEXT REFERENCES accounts ON DELETE CASCADE,
                    workspace TEXT NOT NULL,
                    contract TEXT NOT NULL,
                    purpose TEXT NOT NULL,
                    email TEXT NOT NULL,
                    mail TEXT,
                    attempts INTEGER NOT NULL DEFAULT 0,
                    created_at INTEGER NOT NULL,
                    expires_at INTEGER NOT NULL,
                    used_at INTEGER,
                    replaced_at INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX challenges_by_account ON challenges (account);
                CREATE INDEX challenges_by_email
                    ON challenges (workspace, contract, email, purpose);

                CREATE TABLE mail_requests (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    workspace TEXT NOT NULL,
                    contract TEXT NOT NULL,
                    email TEXT NOT NULL,
                    purpose TEXT NOT NULL,
                    outcome TEXT NOT NULL,
                    free_at INTEGER,
                    requested_at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX mail_requests_by_email ON mail_requests
                    (workspace, email, contract, purpose, sequence);
                CREATE INDEX mail_requests_by_workspace
                    ON mail_requests (workspace, sequence);
                """),
        Migration(
            "backend-2",
            sql: """
                CREATE TABLE switches (
                    workspace TEXT NOT NULL,
                    contract TEXT NOT NULL,
                    name TEXT NOT NULL,
                    is_on INTEGER NOT NULL,
                    PRIMARY KEY (workspace, contract, name)
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            "backend-3",
            sql: """
                CREATE TABLE flows (
                    link TEXT PRIMARY KEY,
                    account TEXT NOT NULL
                        REFERENCES accounts ON DELETE CASCADE,
                    challenge TEXT NOT NULL,
                    method TEXT NOT NULL,
                    code TEXT UNIQUE,
                    opened_at INTEGER,
                    used_at INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX flows_by_account ON flows (account);
                """),
        Migration(
            "backend-4",
            sql: """
                CREATE INDEX sessions_by_end ON sessions (revoked_at)
                    WHERE revoked_at IS NOT NULL;
                CREATE INDEX challenges_by_end ON challenges (expires_at)
                    WHERE account IS NULL OR replaced_at IS NOT NULL
                        OR purpose NOT IN ('verify', 'verify code');
                """), .administration,
        // `reused_at` is when a used refresh token was presented again.
        Migration(
            "refresh-tokens-1", sql: "ALTER TABLE refresh_tokens ADD COLUMN reused_at INTEGER;"),
        .snapshotTables, .endedSessions, .accountChanges, .workspaceGuards,
        // Renames stored values to the names of the API.
        Migration(
            "plain-names-1",
            sql: """
                UPDATE mail_requests SET outcome = 'alreadyVerified'
                    WHERE outcome = 'needless';
                UPDATE kept_mail_requests SET outcome = 'alreadyVerified'
                    WHERE outcome = 'needless';
                """), .accountTotals, .receivedMail,
        .identities, .tableRows, .challengeTimes,
    ]
}

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

    /// Adds a sequence to accounts, for paging, and overrides of the access token lifetime.
    static let administration = Migration(
        "backend-people",
        sql: """
            ALTER TABLE accounts ADD COLUMN sequence INTEGER;
            UPDATE accounts SET sequence = numbered.number
            FROM (
                SELECT id, row_number() OVER (
                    PARTITION BY workspace ORDER BY created_at, id) AS number
                FROM accounts
            ) AS numbered WHERE numbered.id = accounts.id;
            CREATE INDEX accounts_by_sequence
                ON accounts (workspace, sequence);
            CREATE INDEX accounts_by_realm
                ON accounts (workspace, contract, sequence);
            CREATE TRIGGER accounts_numbered AFTER INSERT ON accounts
            WHEN new.sequence IS NULL BEGIN
                UPDATE accounts SET sequence = 1 + coalesce((
                    SELECT max(sequence) FROM accounts
                    WHERE workspace = new.workspace), 0)
                WHERE id = new.id;
            END;

            -- `account` is empty for a whole realm.
            CREATE TABLE token_lives (
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                account TEXT NOT NULL,
                seconds INTEGER NOT NULL,
                PRIMARY KEY (workspace, contract, account)
            ) STRICT, WITHOUT ROWID;
            """)

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

    /// Stores the numbers of accounts by contract and state, and indexes accounts by state, so that
    /// a list need not read every account. The states are those without locks, which end by
    /// themselves; accounts that were ever locked have an index of their own. A search reads the
    /// index of the list's order alone.
    static let accountTotals = Migration(
        "account-totals-1",
        sql: """
            CREATE TABLE account_totals (
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                state TEXT NOT NULL,
                number INTEGER NOT NULL,
                PRIMARY KEY (workspace, contract, state)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO account_totals
                SELECT workspace, contract, \(state(of: "accounts")) AS state, count(*)
                FROM accounts GROUP BY workspace, contract, state;
            CREATE TRIGGER accounts_added AFTER INSERT ON accounts BEGIN
                \(changeTotal(of: "new", by: "+ 1"))
            END;
            CREATE TRIGGER accounts_removed AFTER DELETE ON accounts BEGIN
                \(changeTotal(of: "old", by: "- 1"))
            END;
            CREATE TRIGGER accounts_changed AFTER UPDATE
                OF email, email_verified_at, disabled_at ON accounts
            BEGIN
                \(changeTotal(of: "old", by: "- 1"))
                \(changeTotal(of: "new", by: "+ 1"))
            END;
            CREATE INDEX accounts_by_state
                ON accounts (workspace, \(state(of: nil)), sequence);
            CREATE INDEX accounts_by_realm_state
                ON accounts (workspace, contract, \(state(of: nil)), sequence);
            CREATE INDEX accounts_locked ON accounts (workspace, sequence)
                WHERE locked_until IS NOT NULL AND disabled_at IS NULL;
            DROP INDEX accounts_by_sequence;
            CREATE INDEX accounts_by_sequence
                ON accounts (workspace, sequence, email, device_id);
            """)

    /// The state of a row of `accounts`, without its lock.
    private static func state(of row: String?) -> String {
        let prefix = row.map { $0 + "." } ?? ""
        return """
            CASE WHEN \(prefix)disabled_at IS NOT NULL THEN 'disabled' \
            WHEN \(prefix)email IS NOT NULL AND \(prefix)email_verified_at IS NULL \
            THEN 'unverified' ELSE 'verified' END
            """
    }

    private static func changeTotal(of row: String, by change: String) -> String {
        let key = """
            workspace = \(row).workspace AND contract = \(row).contract \
            AND state = \(state(of: row))
            """
        return """
            INSERT INTO account_totals
                SELECT \(row).workspace, \(row).contract, \(state(of: row)), 0
                WHERE NOT EXISTS (SELECT 1 FROM account_totals WHERE \(key));
            UPDATE account_totals SET number = number \(change) WHERE \(key);
            DELETE FROM account_totals WHERE \(key) AND number = 0;
            """
    }

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
