package import SQLite

/// The migrations of the database of exchanges and events.
///
/// Released names stay: `conditions` are the faults, `facts` an event's details, `exchange_words` an
/// earlier full-text index, and `exchange_worded` the last exchange in `exchange_text`.
package enum TrafficSchema {
    package static let migrations: [Migration] = [
        Migration(
            "exchanges-1",
            sql: """
                CREATE TABLE exchanges (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    workspace TEXT NOT NULL,
                    app TEXT NOT NULL,
                    device TEXT NOT NULL,
                    backend TEXT NOT NULL,
                    call TEXT NOT NULL,
                    cause TEXT NOT NULL,
                    cause_event INTEGER,
                    cause_exchange TEXT,
                    root TEXT NOT NULL,
                    attempt INTEGER NOT NULL,
                    method TEXT NOT NULL,
                    url TEXT NOT NULL,
                    status INTEGER,
                    failure_kind TEXT,
                    failure_detail TEXT,
                    started_at REAL NOT NULL,
                    name_lookup REAL,
                    connect REAL,
                    tls REAL,
                    first_byte REAL,
                    total REAL NOT NULL,
                    request_bytes INTEGER NOT NULL,
                    response_bytes INTEGER NOT NULL,
                    condition TEXT,
                    remote_address TEXT,
                    tokens TEXT NOT NULL,
                    sealed TEXT NOT NULL,
                    request_headers TEXT NOT NULL,
                    response_headers TEXT NOT NULL,
                    request_text TEXT,
                    response_text TEXT,
                    request_blob BLOB,
                    response_blob BLOB
                ) STRICT;
                CREATE INDEX exchanges_workspace
                    ON exchanges (workspace, sequence);
                CREATE INDEX exchanges_device
                    ON exchanges (workspace, device, sequence);
                CREATE INDEX exchanges_app
                    ON exchanges (workspace, app, sequence);
                CREATE INDEX exchanges_status
                    ON exchanges (workspace, status, sequence);
                CREATE INDEX exchanges_refused
                    ON exchanges (workspace, sequence) WHERE status >= 400;
                CREATE INDEX exchanges_unanswered
                    ON exchanges (workspace, sequence)
                    WHERE failure_kind IS NOT NULL;
                CREATE INDEX exchanges_root ON exchanges (root);
                CREATE INDEX exchanges_age
                    ON exchanges (workspace, started_at);
                CREATE TABLE exchange_totals (
                    workspace TEXT PRIMARY KEY,
                    every INTEGER NOT NULL,
                    refused INTEGER NOT NULL,
                    no_answer INTEGER NOT NULL,
                    refresh INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE VIRTUAL TABLE exchange_words USING fts5 (
                    url, request_text, response_text,
                    content = 'exchanges', content_rowid = 'sequence',
                    columnsize = 0
                );
                """),
        Migration(
            "events-1",
            sql: """
                CREATE TABLE events (
                    workspace TEXT NOT NULL,
                    id INTEGER NOT NULL,
                    at REAL NOT NULL,
                    kind TEXT NOT NULL,
                    app TEXT,
                    device TEXT,
                    cause INTEGER,
                    subject TEXT,
                    title TEXT NOT NULL,
                    facts TEXT NOT NULL,
                    PRIMARY KEY (workspace, id)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE event_ids (
                    workspace TEXT PRIMARY KEY,
                    reserved INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
        // Defers full-text indexing, and drops indexes: age follows sequence order anyway, and most
        // exchanges cause no others.
        Migration(
            "exchanges-2",
            sql: """
                CREATE TABLE exchange_worded (upto INTEGER NOT NULL) STRICT;
                INSERT INTO exchange_worded
                    SELECT coalesce(max(sequence), 0) FROM exchanges;
                DROP INDEX exchanges_age;
                DROP INDEX exchanges_root;
                CREATE INDEX exchanges_caused ON exchanges (root)
                    WHERE cause_exchange IS NOT NULL;
                """),
        Migration(
            "conditions-1",
            sql: """
                CREATE TABLE conditions (
                    sequence INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    workspace TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    app TEXT,
                    device TEXT,
                    call TEXT,
                    times INTEGER,
                    phase TEXT NOT NULL,
                    used INTEGER NOT NULL,
                    settings TEXT NOT NULL,
                    made_at REAL NOT NULL,
                    last_exchange TEXT,
                    last_call TEXT,
                    last_at REAL
                ) STRICT;
                CREATE INDEX exchanges_struck
                    ON exchanges (workspace, sequence)
                    WHERE condition IS NOT NULL;
                """),
        Migration("exchange-checks-1", sql: "ALTER TABLE exchanges ADD COLUMN checks TEXT;"),
        // Keeps filters and searches fast with a million exchanges: prefix indexes find words by
        // their beginning, and rare values get an index of their own.
        Migration(
            "exchange-lists-1",
            sql: """
                CREATE INDEX exchanges_call
                    ON exchanges (workspace, call, sequence);
                CREATE INDEX exchanges_cause
                    ON exchanges (workspace, cause, sequence)
                    WHERE cause <> 'submit';
                CREATE INDEX exchanges_family
                    ON exchanges (workspace, status / 100, sequence)
                    WHERE status >= 300;
                -- By one status alone: a range of them has indexes whose
                -- order is the list's.
                DROP INDEX exchanges_status;
                CREATE INDEX exchanges_exact
                    ON exchanges (workspace, status + 0, sequence);
                DROP TABLE exchange_words;
                CREATE VIRTUAL TABLE exchange_words USING fts5 (
                    url, request_text, response_text,
                    content = 'exchanges', content_rowid = 'sequence',
                    columnsize = 0, detail = none, prefix = '2 3 4 5 6'
                );
                UPDATE exchange_worded SET upto = 0;
                """),
        // Without the WHERE clause SQLite does not choose this index, whose order is not the
        // list's, for a filter on errors alone.
        Migration(
            "exchange-lists-2",
            sql: """
                DROP INDEX exchanges_family;
                CREATE INDEX exchanges_family
                    ON exchanges (workspace, status / 100, sequence);
                CREATE INDEX exchanges_token ON exchanges (workspace, sequence)
                    WHERE tokens <> '[]';
                CREATE INDEX exchanges_bare ON exchanges (workspace, sequence)
                    WHERE tokens = '[]';
                """),
        // Imported exchanges may have begun at any time; their retention, like all others', counts
        // from when they were recorded here.
        Migration(
            "exchanges-recorded-1", sql: "ALTER TABLE exchanges ADD COLUMN recorded_at REAL;"),
        Migration(
            "exchange-words-3",
            sql: """
                CREATE VIRTUAL TABLE exchange_terms
                    USING fts5vocab (exchange_words, instance);
                """),
        // Adds a prefix index for single letters: nearly every word matches one letter, so a search
        // that has just begun needs it too.
        Migration(
            "exchange-words-4",
            sql: """
                DROP TABLE exchange_terms;
                DROP TABLE exchange_words;
                CREATE VIRTUAL TABLE exchange_words USING fts5 (
                    url, request_text, response_text,
                    content = 'exchanges', content_rowid = 'sequence',
                    columnsize = 0, detail = none, prefix = '1 2 3 4 5 6'
                );
                CREATE VIRTUAL TABLE exchange_terms
                    USING fts5vocab (exchange_words, instance);
                UPDATE exchange_worded SET upto = 0;
                """), .plainNames,
        // A filter by device and app reads the index alone to find the app's exchanges.
        Migration(
            "exchange-lists-3",
            sql: """
                DROP INDEX exchanges_device;
                CREATE INDEX exchanges_device
                    ON exchanges (workspace, device, sequence, app);
                """),
        Migration(
            "rules-1",
            sql: """
                CREATE TABLE rules (
                    id TEXT PRIMARY KEY,
                    workspace TEXT NOT NULL,
                    position INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    is_on INTEGER NOT NULL,
                    timeout REAL NOT NULL,
                    match TEXT NOT NULL,
                    response TEXT,
                    made_at REAL NOT NULL
                ) STRICT;
                ALTER TABLE exchanges ADD COLUMN rule TEXT;
                CREATE INDEX exchanges_ruled
                    ON exchanges (workspace, sequence)
                    WHERE rule IS NOT NULL;
                """),
        // A search finds any part of a text, not only beginnings of words.
        Migration(
            "exchange-text-1",
            sql: """
                DROP TABLE exchange_terms;
                DROP TABLE exchange_words;
                CREATE VIRTUAL TABLE exchange_text USING fts5 (
                    url, method, status, app, request_text, response_text,
                    content = 'exchanges', content_rowid = 'sequence',
                    columnsize = 0, detail = none, tokenize = 'trigram'
                );
                UPDATE exchange_worded SET upto = 0;
                """),
        // The order of a list sorted by a column; that of the status also finds one status.
        Migration(
            "exchange-lists-4",
            sql: """
                DROP INDEX exchanges_exact;
                CREATE INDEX exchanges_exact
                    ON exchanges (workspace, coalesce(status, 0), sequence);
                CREATE INDEX exchanges_method
                    ON exchanges (workspace, method, sequence);
                CREATE INDEX exchanges_duration
                    ON exchanges (workspace, total, sequence);
                CREATE INDEX exchanges_size
                    ON exchanges (workspace, response_bytes, sequence);
                CREATE INDEX exchanges_path ON exchanges (
                    workspace,
                    substr(url, instr(substr(url, 9) || '/', '/') + 8),
                    sequence
                );
                """),
    ]
}

extension Migration {
    /// Renames stored values to the names of the API.
    static let plainNames = Migration(
        "plain-names-1",
        sql: """
            UPDATE conditions SET settings = replace(settings, '"set":', '"preset":');
            UPDATE exchanges SET cause = 'manual' WHERE cause = 'hand';
            UPDATE exchanges SET cause = 'proxied' WHERE cause = 'through';
            UPDATE exchanges SET failure_kind = 'invalidResponse'
                WHERE failure_kind = 'invalidAnswer';
            UPDATE exchanges SET checks = \(replacing(checks, in: "checks"))
                WHERE checks IS NOT NULL;
            UPDATE events SET kind = \(replacing(eventKinds, in: "kind")),
                facts = \(replacing(eventDetails, in: "facts"));
            """)

    /// Names of checks, at the beginning of a check's JSON, and their states.
    private static let checks: KeyValuePairs = [
        #"["key","#: #"["apiKey","#, #"["limit","#: #"["rateLimit","#,
        #"["setting","#: #"["featureEnabled","#, #"["addressFree","#: #"["emailAvailable","#,
        #"["standing","#: #"["accountActive","#, #"["verified","#: #"["emailVerified","#,
        #"["header","#: #"["authorizationHeader","#, #"["holder","#: #"["tokenAccount","#,
        #"["refresh","#: #"["refreshToken","#, #"["generation","#: #"["refreshTokenReuse","#,
        #"["age","#: #"["refreshTokenAge","#, #"["codeFresh","#: #"["codeValidity","#,
        #"["guesses","#: #"["codeAttempts","#, #","notReached","#: #","skipped","#,
    ]

    private static let eventKinds: KeyValuePairs = [
        "exchanges.forgotten": "exchanges.cleared", "mail.caught": "mail.received",
        "mail.forgotten": "mailbox.cleared", "snapshot.taken": "snapshot.created",
        "moment.restored": "state.restored", "condition.": "fault.", "apps.read": "apps.reloaded",
    ]

    private static let eventDetails: KeyValuePairs = [
        #""condition":"#: #""fault":"#, #""word":"#: #""name":"#, #""used":"#: #""applied":"#,
        #""set":"#: #""preset":"#, #""acts":"#: #""actions":"#, #""dropped":"#: #""canceledCall":"#,
        #":"used up""#: #":"exhausted""#, #":"expiredByHand""#: #":"expiredManually""#,
        #":"endedThere""#: #":"endedByServer""#, #":"openThere""#: #":"openOnServer""#,
        #":"sessionLost""#: #":"sessionExpired""#, #":"through""#: #":"proxied""#,
        #":"hand""#: #":"manual""#, #":"invalidAnswer""#: #":"invalidResponse""#,
    ]
}
