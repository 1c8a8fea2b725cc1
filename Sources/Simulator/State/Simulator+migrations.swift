package import SQLite

extension Simulator {
    /// The migrations of the devices' database.
    ///
    /// Released names stay: `places` are the app instances, `items` their stored values, `moments`
    /// their earlier states, `session_moments` the history of a session.
    package static let migrations: [Migration] = [
        Migration(
            "devices-1",
            sql: """
                CREATE TABLE workspaces (
                    id TEXT PRIMARY KEY,
                    devices_made INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                INSERT INTO workspaces VALUES ('main', 0);

                CREATE TABLE devices (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    workspace TEXT NOT NULL
                        REFERENCES workspaces ON DELETE CASCADE,
                    label TEXT NOT NULL,
                    build TEXT NOT NULL,
                    sensor TEXT NOT NULL,
                    enrolled INTEGER NOT NULL,
                    next TEXT NOT NULL,
                    size TEXT NOT NULL,
                    created_at REAL NOT NULL,
                    uuid TEXT NOT NULL
                ) STRICT;
                CREATE INDEX devices_workspace
                    ON devices (workspace, sequence);

                -- An app on a device.
                CREATE TABLE places (
                    id INTEGER PRIMARY KEY,
                    device TEXT NOT NULL
                        REFERENCES devices (id) ON DELETE CASCADE,
                    app TEXT NOT NULL,
                    screen TEXT NOT NULL,
                    since REAL NOT NULL,
                    backend TEXT,
                    own TEXT NOT NULL,
                    visits TEXT NOT NULL,
                    paths TEXT NOT NULL,
                    last_path INTEGER,
                    UNIQUE (device, app)
                ) STRICT;

                -- The value of a keychain item is a JWE.
                CREATE TABLE items (
                    place INTEGER NOT NULL
                        REFERENCES places ON DELETE CASCADE,
                    key TEXT NOT NULL,
                    area TEXT NOT NULL,
                    value TEXT NOT NULL,
                    is_json INTEGER NOT NULL,
                    written_at REAL NOT NULL,
                    PRIMARY KEY (place, key)
                ) STRICT, WITHOUT ROWID;

                -- `ended` is empty for a session under way.
                CREATE TABLE sessions (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    workspace TEXT NOT NULL
                        REFERENCES workspaces ON DELETE CASCADE,
                    app TEXT NOT NULL,
                    device TEXT NOT NULL
                        REFERENCES devices (id) ON DELETE CASCADE,
                    backend TEXT NOT NULL,
                    ended TEXT NOT NULL,
                    expires_at REAL,
                    created_at REAL NOT NULL,
                    refreshed_at REAL,
                    ended_at REAL,
                    refresh_count INTEGER NOT NULL,
                    generation INTEGER NOT NULL,
                    user_id TEXT,
                    email TEXT,
                    label TEXT NOT NULL,
                    access TEXT,
                    refresh TEXT,
                    claims TEXT,
                    -- What lists are narrowed by, as words for the search:
                    -- hex, so that each is one.
                    facets TEXT NOT NULL GENERATED ALWAYS AS (
                        'w' || hex(workspace) || ' a' || hex(app)
                        || ' b' || hex(backend) || ' d' || hex(device)
                        || ' e' || hex(ended)
                    ) VIRTUAL
                ) STRICT;
                CREATE INDEX sessions_all ON sessions
                    (workspace, sequence, ended, expires_at);
                CREATE INDEX sessions_ended ON sessions
                    (workspace, ended, sequence, expires_at, app, backend);
                CREATE INDEX sessions_app ON sessions
                    (workspace, app, sequence, ended, expires_at, backend);
                CREATE INDEX sessions_backend ON sessions
                    (workspace, backend, sequence, ended, expires_at, app);
                CREATE INDEX sessions_device ON sessions
                    (device, workspace, sequence, ended, expires_at, app);
                CREATE INDEX sessions_live ON sessions (device, app)
                    WHERE ended = '';
                CREATE INDEX sessions_expiry ON sessions
                    (workspace, expires_at) WHERE ended = '';

                CREATE TABLE session_moments (
                    session INTEGER NOT NULL
                        REFERENCES sessions ON DELETE CASCADE,
                    number INTEGER NOT NULL,
                    at REAL NOT NULL,
                    kind TEXT NOT NULL,
                    title TEXT NOT NULL,
                    generation INTEGER NOT NULL,
                    exchange TEXT,
                    PRIMARY KEY (session, number)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE session_totals (
                    workspace TEXT NOT NULL,
                    ended TEXT NOT NULL,
                    sessions INTEGER NOT NULL,
                    PRIMARY KEY (workspace, ended)
                ) STRICT, WITHOUT ROWID;

                CREATE VIRTUAL TABLE session_words USING fts5 (
                    user_id, email, label, claims, facets,
                    columnsize = 0, prefix = '2 3'
                );

                -- Sessions whose words are still to be indexed.
                CREATE TABLE session_unworded (
                    sequence INTEGER PRIMARY KEY
                ) STRICT;

                CREATE TRIGGER sessions_added AFTER INSERT ON sessions BEGIN
                    INSERT INTO session_totals
                    VALUES (new.workspace, new.ended, 1)
                    ON CONFLICT DO UPDATE SET sessions = sessions + 1;
                    INSERT OR IGNORE INTO session_unworded
                    VALUES (new.sequence);
                END;
                CREATE TRIGGER sessions_counted AFTER UPDATE OF ended
                ON sessions WHEN new.ended <> old.ended BEGIN
                    UPDATE session_totals SET sessions = sessions - 1
                    WHERE workspace = old.workspace AND ended = old.ended;
                    INSERT INTO session_totals
                    VALUES (new.workspace, new.ended, 1)
                    ON CONFLICT DO UPDATE SET sessions = sessions + 1;
                END;
                CREATE TRIGGER sessions_reworded
                AFTER UPDATE OF user_id, email, label, claims, backend, ended
                ON sessions
                WHEN new.facets IS NOT old.facets
                    OR new.user_id IS NOT old.user_id
                    OR new.email IS NOT old.email
                    OR new.label IS NOT old.label
                    OR new.claims IS NOT old.claims
                BEGIN
                    INSERT OR IGNORE INTO session_unworded
                    VALUES (new.sequence);
                END;
                CREATE TRIGGER sessions_gone AFTER DELETE ON sessions BEGIN
                    UPDATE session_totals SET sessions = sessions - 1
                    WHERE workspace = old.workspace AND ended = old.ended;
                    INSERT OR IGNORE INTO session_unworded
                    VALUES (old.sequence);
                END;
                """),
        Migration(
            "devices-2",
            sql: """
                ALTER TABLE workspaces
                    ADD COLUMN label TEXT NOT NULL DEFAULT '';
                ALTER TABLE workspaces
                    ADD COLUMN created_at REAL NOT NULL DEFAULT 0;
                ALTER TABLE workspaces ADD COLUMN expires_at REAL;
                ALTER TABLE workspaces
                    ADD COLUMN clock_offset REAL NOT NULL DEFAULT 0;
                ALTER TABLE workspaces ADD COLUMN frozen_at REAL;
                """),
        // Archived tokens, and the number of discrepancies of a session.
        Migration(
            "session-tokens-1",
            sql: """
                CREATE TABLE session_tokens (
                    session INTEGER NOT NULL
                        REFERENCES sessions ON DELETE CASCADE,
                    number INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    generation INTEGER NOT NULL,
                    branch TEXT NOT NULL,
                    held TEXT NOT NULL,
                    claims TEXT,
                    sealed TEXT NOT NULL,
                    exchange TEXT,
                    PRIMARY KEY (session, number)
                ) STRICT, WITHOUT ROWID;
                ALTER TABLE sessions
                    ADD COLUMN disagreements INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX sessions_disagreeing ON sessions
                    (workspace, sequence, ended, expires_at)
                    WHERE disagreements > 0;
                """), .snapshots, .restores,
        // Prefix indexes for longer prefixes, and a table of terms.
        Migration(
            "session-words-2",
            sql: """
                DROP TABLE session_words;
                CREATE VIRTUAL TABLE session_words USING fts5 (
                    user_id, email, label, claims, facets,
                    columnsize = 0, prefix = '2 3 4 5 6'
                );
                CREATE VIRTUAL TABLE session_terms
                    USING fts5vocab (session_words, instance);
                INSERT OR IGNORE INTO session_unworded
                    SELECT sequence FROM sessions;
                """),
        Migration(
            "devices-display",
            sql: """
                ALTER TABLE devices ADD COLUMN
                    orientation TEXT NOT NULL DEFAULT 'portrait';
                ALTER TABLE devices ADD COLUMN
                    appearance TEXT NOT NULL DEFAULT 'system';
                ALTER TABLE devices ADD COLUMN
                    text_size TEXT NOT NULL DEFAULT 'default';
                """),
        // Prefix index from the first letter on.
        Migration(
            "session-words-3",
            sql: """
                DROP TABLE session_terms;
                DROP TABLE session_words;
                CREATE VIRTUAL TABLE session_words USING fts5 (
                    user_id, email, label, claims, facets,
                    columnsize = 0, prefix = '1 2 3 4 5 6'
                );
                CREATE VIRTUAL TABLE session_terms
                    USING fts5vocab (session_words, instance);
                INSERT OR IGNORE INTO session_unworded
                    SELECT sequence FROM sessions;
                """),
        // `ended` is `revoked` as soon as the server's end is known; only `ended_at` is set by the
        // device.
        Migration(
            "session-standing-1",
            sql: """
                DROP INDEX sessions_live;
                CREATE INDEX sessions_held ON sessions (device, app)
                    WHERE ended_at IS NULL;
                """), TransitionTable.migration,
        Migration("session-moments-2", sql: "ALTER TABLE session_moments ADD COLUMN token INTEGER"),
        // Renames stored values to the names of the API.
        Migration(
            "plain-names-1",
            sql: """
                UPDATE session_tokens SET branch = CASE branch
                    WHEN 'own' THEN 'device' WHEN 'unheard' THEN 'responseLost'
                    WHEN 'rival' THEN 'otherClient' WHEN 'replayed' THEN 'reuse'
                    ELSE branch END;
                UPDATE session_moments SET
                    kind = \(Migration.replacing(historyKinds, in: "kind")),
                    title = \(Migration.replacing(historyTitles, in: "title"));
                """),
        // The index of expiry covers the column of its condition, so that counting reads no rows.
        Migration(
            "session-expiry-1",
            sql: """
                DROP INDEX sessions_expiry;
                CREATE INDEX sessions_by_expiry ON sessions
                    (workspace, expires_at, ended) WHERE ended = '';
                """),
    ]

    /// Kinds of history entries; those of a refresh test end with its outcome.
    private static let historyKinds: KeyValuePairs = [
        "expiredByHand": "expiredManually", "race.": "concurrent.", "lostAnswer.": "dropResponse.",
        ".kept": ".stored", ".taken": ".accepted", ".refused": ".rejected",
        ".unanswered": ".noResponse",
    ]

    /// Parts of titles that pages compare with names of today.
    private static let historyTitles: KeyValuePairs = [
        "One tab": "First client", "The other tab": "Second client", "used again": "reused",
    ]
}
