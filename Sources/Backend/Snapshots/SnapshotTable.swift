import SQLite

/// A table whose rows a snapshot stores.
struct SnapshotTable: Sendable {
    let name: StaticSQL
    let columns: StaticSQL
    /// SQL condition for the rows of one contract in one workspace.
    let realmCondition: StaticSQL

    /// Parents before the tables that refer to them.
    static let all: [SnapshotTable] = [
        SnapshotTable(
            "accounts",
            """
            id, workspace, contract, email, password_hash, email_verified_at,
            disabled_at, locked_until, profile, device_id, created_at,
            last_login_at, sequence, phone, phone_verified_at
            """),
        SnapshotTable(
            "identities",
            """
            id, account, workspace, contract, provider, subject, data,
            created_at, updated_at, last_sign_in_at
            """),
        SnapshotTable(
            "factors",
            """
            id, account, workspace, contract, kind, name, phone, sealed,
            last_step, created_at, updated_at, verified_at, last_challenged_at
            """),
        SnapshotTable(
            "sessions",
            """
            id, account, workspace, contract, generation, facts, created_at,
            refreshed_at, revoked_at, revoked_because
            """),
        SnapshotTable(
            "refresh_tokens", "digest, session, generation, issued_at, used_at, reused_at",
            realmCondition:
                "session IN (SELECT id FROM sessions WHERE workspace = ?2 AND contract = ?3)"),
        SnapshotTable(
            "challenges",
            """
            digest, account, workspace, contract, purpose, email, mail,
            attempts, created_at, expires_at, used_at, replaced_at,
            code_digest, facts
            """),
        SnapshotTable(
            "flows", "link, account, challenge, method, code, opened_at, used_at",
            realmCondition:
                "account IN (SELECT id FROM accounts WHERE workspace = ?2 AND contract = ?3)"),
        SnapshotTable(
            "mails",
            """
            sequence, id, workspace, contract, recipient, purpose, subject,
            expires_at, used_at, sent_at, sealed, sender, read_at, channel
            """),
        SnapshotTable(
            "mail_sources", "mail, bytes, sealed",
            realmCondition: "mail IN (SELECT id FROM mails WHERE workspace = ?2 AND contract = ?3)"),
        SnapshotTable(
            "mail_requests",
            "sequence, workspace, contract, email, purpose, outcome, free_at, requested_at"),
        SnapshotTable("token_lives", "workspace, contract, account, seconds"),
        SnapshotTable("table_rows", "id, workspace, contract, name, columns"),
        SnapshotTable("row_keys", "row, workspace, contract, key_name, value"),
        SnapshotTable(
            "row_links", "row, key_name, account, parent, cascades",
            realmCondition:
                "row IN (SELECT id FROM table_rows WHERE workspace = ?2 AND contract = ?3)"),
        SnapshotTable("row_sequences", "workspace, contract, name, last"),
    ]

    private init(
        _ name: StaticSQL, _ columns: StaticSQL,
        realmCondition: StaticSQL = "workspace = ?2 AND contract = ?3"
    ) {
        self.name = name
        self.columns = columns
        self.realmCondition = realmCondition
    }

    func count(_ realm: Realm, _ connection: Connection) throws -> Int {
        try connection.count(
            "SELECT count(*) FROM \(name) WHERE \(realmCondition) AND ?1 = ?1",
            Self.bindings("", realm))
    }

    func save(_ snapshot: String, _ realm: Realm, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO kept_\(name) (snapshot, \(columns))
            SELECT ?1, \(columns) FROM \(name) WHERE \(realmCondition)
            """, Self.bindings(snapshot, realm))
    }

    func clear(_ realm: Realm, _ connection: Connection) throws {
        try connection.run(
            "DELETE FROM \(name) WHERE \(realmCondition) AND ?1 = ?1", Self.bindings("", realm))
    }

    /// Copies the stored rows back; the table must be empty for these contracts.
    func restore(_ snapshot: String, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO \(name) (\(columns))
            SELECT \(columns) FROM kept_\(name) WHERE snapshot = ?
            """, [.text(snapshot)])
    }

    private static func bindings(_ snapshot: String, _ realm: Realm) -> [Value] {
        [.text(snapshot)] + realm.sqlValues
    }
}

extension Migration {
    /// The backend part of snapshots: copies of the rows of some contracts in a workspace. Digests
    /// and sealed values are copied as they are.
    static let snapshotTables = Migration(
        "backend-snapshots",
        sql: """
            CREATE TABLE snapshots (
                id TEXT PRIMARY KEY,
                workspace TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX snapshots_by_workspace ON snapshots (workspace);
            CREATE TABLE snapshot_contracts (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                contract TEXT NOT NULL,
                PRIMARY KEY (snapshot, contract)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE kept_accounts (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                id TEXT NOT NULL, workspace TEXT NOT NULL,
                contract TEXT NOT NULL, email TEXT, password_hash TEXT,
                email_verified_at INTEGER, disabled_at INTEGER,
                locked_until INTEGER, profile TEXT NOT NULL, device_id TEXT,
                created_at INTEGER NOT NULL, last_login_at INTEGER,
                sequence INTEGER
            ) STRICT;
            CREATE INDEX kept_accounts_of ON kept_accounts (snapshot);
            CREATE TABLE kept_sessions (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                id TEXT NOT NULL, account TEXT NOT NULL,
                workspace TEXT NOT NULL, contract TEXT NOT NULL,
                generation INTEGER NOT NULL, facts TEXT NOT NULL,
                created_at INTEGER NOT NULL, refreshed_at INTEGER,
                revoked_at INTEGER, revoked_because TEXT
            ) STRICT;
            CREATE INDEX kept_sessions_of ON kept_sessions (snapshot);
            CREATE TABLE kept_refresh_tokens (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                digest TEXT NOT NULL, session TEXT NOT NULL,
                generation INTEGER NOT NULL, issued_at INTEGER NOT NULL,
                used_at INTEGER, reused_at INTEGER
            ) STRICT;
            CREATE INDEX kept_refresh_tokens_of
                ON kept_refresh_tokens (snapshot);
            CREATE TABLE kept_challenges (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                digest TEXT NOT NULL, account TEXT, workspace TEXT NOT NULL,
                contract TEXT NOT NULL, purpose TEXT NOT NULL,
                email TEXT NOT NULL, mail TEXT, attempts INTEGER NOT NULL,
                created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
                used_at INTEGER, replaced_at INTEGER
            ) STRICT;
            CREATE INDEX kept_challenges_of ON kept_challenges (snapshot);
            CREATE TABLE kept_flows (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                link TEXT NOT NULL, account TEXT NOT NULL,
                challenge TEXT NOT NULL, method TEXT NOT NULL, code TEXT,
                opened_at INTEGER, used_at INTEGER
            ) STRICT;
            CREATE INDEX kept_flows_of ON kept_flows (snapshot);
            CREATE TABLE kept_mails (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                sequence INTEGER NOT NULL, id TEXT NOT NULL,
                workspace TEXT NOT NULL, contract TEXT NOT NULL,
                recipient TEXT NOT NULL, purpose TEXT NOT NULL,
                subject TEXT NOT NULL, expires_at INTEGER, used_at INTEGER,
                sent_at INTEGER NOT NULL, sealed TEXT NOT NULL
            ) STRICT;
            CREATE INDEX kept_mails_of ON kept_mails (snapshot);
            CREATE TABLE kept_mail_requests (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                sequence INTEGER NOT NULL, workspace TEXT NOT NULL,
                contract TEXT NOT NULL, email TEXT NOT NULL,
                purpose TEXT NOT NULL, outcome TEXT NOT NULL,
                free_at INTEGER, requested_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX kept_mail_requests_of
                ON kept_mail_requests (snapshot);
            CREATE TABLE kept_token_lives (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                workspace TEXT NOT NULL, contract TEXT NOT NULL,
                account TEXT NOT NULL, seconds INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX kept_token_lives_of ON kept_token_lives (snapshot);
            """)
}
