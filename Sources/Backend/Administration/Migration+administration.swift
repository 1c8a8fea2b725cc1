import SQLite

extension Migration {
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
}
