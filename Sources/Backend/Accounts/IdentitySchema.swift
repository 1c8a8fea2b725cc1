import SQLite

extension Migration {
    /// Phone numbers, identities at providers, second factors, text messages, and the audit log.
    ///
    /// `code_digest` and `facts` of a challenge are a code that is entered with its id, and the
    /// contract's own data about what it is for.
    static let identities = Migration(
        "identities-1",
        sql: """
            ALTER TABLE accounts ADD COLUMN phone TEXT;
            ALTER TABLE accounts ADD COLUMN phone_verified_at INTEGER;
            ALTER TABLE kept_accounts ADD COLUMN phone TEXT;
            ALTER TABLE kept_accounts ADD COLUMN phone_verified_at INTEGER;
            CREATE UNIQUE INDEX accounts_by_phone
                ON accounts (workspace, contract, phone) WHERE phone IS NOT NULL;

            CREATE TABLE identities (
                id TEXT PRIMARY KEY,
                account TEXT NOT NULL
                    REFERENCES accounts ON DELETE CASCADE,
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                provider TEXT NOT NULL,
                subject TEXT NOT NULL,
                data TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                last_sign_in_at INTEGER,
                UNIQUE (workspace, contract, provider, subject)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX identities_by_account ON identities (account, created_at);
            CREATE TABLE kept_identities (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                id TEXT NOT NULL, account TEXT NOT NULL,
                workspace TEXT NOT NULL, contract TEXT NOT NULL,
                provider TEXT NOT NULL, subject TEXT NOT NULL, data TEXT NOT NULL,
                created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
                last_sign_in_at INTEGER
            ) STRICT;
            CREATE INDEX kept_identities_of ON kept_identities (snapshot);

            CREATE TABLE factors (
                id TEXT PRIMARY KEY,
                account TEXT NOT NULL
                    REFERENCES accounts ON DELETE CASCADE,
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                kind TEXT NOT NULL,
                name TEXT NOT NULL,
                phone TEXT,
                sealed TEXT,
                last_step INTEGER,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                verified_at INTEGER
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX factors_by_account ON factors (account, created_at);
            CREATE TABLE kept_factors (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                id TEXT NOT NULL, account TEXT NOT NULL,
                workspace TEXT NOT NULL, contract TEXT NOT NULL,
                kind TEXT NOT NULL, name TEXT NOT NULL, phone TEXT, sealed TEXT,
                last_step INTEGER, created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL, verified_at INTEGER
            ) STRICT;
            CREATE INDEX kept_factors_of ON kept_factors (snapshot);

            ALTER TABLE challenges ADD COLUMN code_digest TEXT;
            ALTER TABLE challenges ADD COLUMN facts TEXT;
            ALTER TABLE kept_challenges ADD COLUMN code_digest TEXT;
            ALTER TABLE kept_challenges ADD COLUMN facts TEXT;

            ALTER TABLE mails ADD COLUMN channel TEXT NOT NULL DEFAULT 'mail';
            ALTER TABLE kept_mails ADD COLUMN channel TEXT NOT NULL DEFAULT 'mail';

            CREATE TABLE audit_entries (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL,
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                account TEXT,
                payload TEXT NOT NULL,
                created_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX audit_entries_by_realm
                ON audit_entries (workspace, contract, sequence);
            """)

    /// When a second factor was last challenged, and the client's address in the audit log.
    static let challengeTimes = Migration(
        "challenge-times-1",
        sql: """
            ALTER TABLE factors ADD COLUMN last_challenged_at INTEGER;
            ALTER TABLE kept_factors ADD COLUMN last_challenged_at INTEGER;
            ALTER TABLE audit_entries ADD COLUMN ip TEXT NOT NULL DEFAULT '';
            """)
}
