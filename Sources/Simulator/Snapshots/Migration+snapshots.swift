import SQLite

extension Migration {
    /// Restorable states: named snapshots, and the newest states of each app on a device. A body is
    /// sealed JSON, because it contains tokens.
    static let snapshots = Migration(
        "devices-snapshots",
        sql: """
            CREATE TABLE snapshots (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                workspace TEXT NOT NULL
                    REFERENCES workspaces ON DELETE CASCADE,
                name TEXT NOT NULL,
                device TEXT NOT NULL,
                app TEXT,
                contracts TEXT NOT NULL,
                apps TEXT NOT NULL,
                taken_at REAL NOT NULL,
                bytes INTEGER NOT NULL,
                body TEXT NOT NULL
            ) STRICT;
            CREATE INDEX snapshots_by_workspace
                ON snapshots (workspace, sequence);

            -- How a place was after a change told by these events.
            CREATE TABLE moments (
                id INTEGER PRIMARY KEY,
                place INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
                first_event INTEGER NOT NULL,
                last_event INTEGER NOT NULL,
                at REAL NOT NULL,
                body TEXT NOT NULL
            ) STRICT;
            CREATE INDEX moments_by_place ON moments (place, first_event);
            """)
}
