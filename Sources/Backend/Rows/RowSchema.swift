import SQLite

extension Migration {
    /// The rows of the tables that a contract serves.
    ///
    /// A row is a JSON object. `row_keys` has its primary and unique keys, so that each is unique,
    /// `row_links` what its foreign keys refer to: an account, or another row. Deleting an account
    /// deletes the rows that refer to it, and those that refer to them with ON DELETE CASCADE.
    ///
    /// Rows that were part of an account's profile become rows of the table `profiles`. Those of
    /// snapshots get negative ids, which no other row has.
    static let tableRows = Migration(
        "table-rows-1",
        sql: """
            CREATE TABLE table_rows (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                name TEXT NOT NULL,
                columns TEXT NOT NULL
            ) STRICT;
            CREATE INDEX table_rows_by_table ON table_rows (workspace, contract, name, id);
            CREATE TRIGGER table_rows_somewhere BEFORE INSERT ON table_rows
            WHEN NOT EXISTS (
                SELECT 1 FROM workspaces WHERE id = new.workspace)
            BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;

            CREATE TABLE row_keys (
                row INTEGER NOT NULL REFERENCES table_rows ON DELETE CASCADE,
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                key_name TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (workspace, contract, key_name, value)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX row_keys_by_row ON row_keys (row);

            CREATE TABLE row_links (
                row INTEGER NOT NULL REFERENCES table_rows ON DELETE CASCADE,
                key_name TEXT NOT NULL,
                account TEXT,
                parent INTEGER,
                cascades INTEGER NOT NULL,
                PRIMARY KEY (row, key_name)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX row_links_by_account ON row_links (account);
            CREATE INDEX row_links_by_parent ON row_links (parent);
            CREATE TRIGGER accounts_rows BEFORE DELETE ON accounts
            BEGIN
                DELETE FROM table_rows WHERE id IN (
                    WITH RECURSIVE gone(id) AS (
                        SELECT row FROM row_links WHERE account = old.id
                        UNION
                        SELECT row_links.row FROM row_links
                            JOIN gone ON row_links.parent = gone.id AND row_links.cascades)
                    SELECT id FROM gone);
            END;

            CREATE TABLE row_sequences (
                workspace TEXT NOT NULL,
                contract TEXT NOT NULL,
                name TEXT NOT NULL,
                last INTEGER NOT NULL,
                PRIMARY KEY (workspace, contract, name)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE kept_table_rows (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                id INTEGER NOT NULL, workspace TEXT NOT NULL,
                contract TEXT NOT NULL, name TEXT NOT NULL, columns TEXT NOT NULL
            ) STRICT;
            CREATE INDEX kept_table_rows_of ON kept_table_rows (snapshot);
            CREATE TABLE kept_row_keys (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                row INTEGER NOT NULL, workspace TEXT NOT NULL,
                contract TEXT NOT NULL, key_name TEXT NOT NULL, value TEXT NOT NULL
            ) STRICT;
            CREATE INDEX kept_row_keys_of ON kept_row_keys (snapshot);
            CREATE TABLE kept_row_links (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                row INTEGER NOT NULL, key_name TEXT NOT NULL,
                account TEXT, parent INTEGER, cascades INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX kept_row_links_of ON kept_row_links (snapshot);
            CREATE TABLE kept_row_sequences (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                workspace TEXT NOT NULL, contract TEXT NOT NULL,
                name TEXT NOT NULL, last INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX kept_row_sequences_of ON kept_row_sequences (snapshot);

            INSERT INTO table_rows (workspace, contract, name, columns)
                SELECT accounts.workspace, contract, 'profiles', json_extract(profile, '$.row')
                FROM accounts JOIN workspaces ON workspaces.id = accounts.workspace
                WHERE json_valid(profile) AND json_type(profile, '$.row') = 'object'
                ORDER BY created_at;
            INSERT OR IGNORE INTO row_keys
                SELECT id, workspace, contract, 'profiles_pkey',
                    json_array(json_extract(columns, '$.id'))
                FROM table_rows;
            INSERT INTO row_links
                SELECT id, 'profiles_id_fkey', json_extract(columns, '$.id'), NULL, 1
                FROM table_rows;
            UPDATE accounts SET profile = json_remove(profile, '$.row')
                WHERE json_valid(profile) AND json_type(profile, '$.row') IS NOT NULL;

            INSERT INTO kept_table_rows
                SELECT snapshot, -row_number() OVER (), workspace, contract, 'profiles',
                    json_extract(profile, '$.row')
                FROM kept_accounts
                WHERE json_valid(profile) AND json_type(profile, '$.row') = 'object';
            INSERT INTO kept_row_keys
                SELECT snapshot, id, workspace, contract, 'profiles_pkey',
                    json_array(json_extract(columns, '$.id'))
                FROM kept_table_rows;
            INSERT INTO kept_row_links
                SELECT snapshot, id, 'profiles_id_fkey', json_extract(columns, '$.id'), NULL, 1
                FROM kept_table_rows;
            UPDATE kept_accounts SET profile = json_remove(profile, '$.row')
                WHERE json_valid(profile) AND json_type(profile, '$.row') IS NOT NULL;
            """)
}
