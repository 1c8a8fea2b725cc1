import SQLite

/// The database table of running restores.
///
/// The server's half and the device's are in two databases without a common transaction: the row is
/// inserted before the first and deleted with the second, so that the next start finds a restore
/// that a kill interrupted.
enum RestoreTable {
    /// False if the snapshot no longer exists.
    static func begin(_ id: String, _ connection: Connection) throws -> Bool {
        try connection.run(
            """
            INSERT OR IGNORE INTO restores SELECT id FROM snapshots \
            WHERE id = ?
            """, [.text(id)])
        return try connection.exists("SELECT 1 FROM restores WHERE snapshot = ?", [.text(id)])
    }

    static func end(_ id: String, _ connection: Connection) throws {
        try connection.run("DELETE FROM restores WHERE snapshot = ?", [.text(id)])
    }

    /// The running restores, with their workspaces.
    static func pending(_ connection: Connection) throws -> [(id: String, workspace: String)] {
        try connection.rows(
            """
            SELECT snapshots.id, snapshots.workspace FROM restores
            JOIN snapshots ON snapshots.id = restores.snapshot
            ORDER BY snapshots.sequence
            """
        ) { (id: $0.text(0), workspace: $0.text(1)) }
    }
}

extension Migration {
    static let restores = Migration(
        "devices-restores",
        sql: """
            -- Snapshots whose halves are being put back.
            CREATE TABLE restores (
                snapshot TEXT PRIMARY KEY
                    REFERENCES snapshots (id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            """)
}
