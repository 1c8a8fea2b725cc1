import FoundationEssentials
import SQLite

/// Runs, and the transitions seen in each, as rows. Run 0 is whatever is done
/// by hand; what Foyer plays itself has none.
enum FlowTable {
    static let byHand: Int64 = 0

    static let migration = Migration(
        "flow-1",
        sql: """
            CREATE TABLE runs (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL,
                started_at REAL NOT NULL,
                last_at REAL NOT NULL,
                workspaces INTEGER NOT NULL
            ) STRICT;
            ALTER TABLE workspaces ADD COLUMN run INTEGER;
            UPDATE workspaces SET run = 0;

            -- `from_screen` is empty where a screen was shown anew.
            CREATE TABLE transitions (
                app TEXT NOT NULL,
                run INTEGER NOT NULL,
                from_screen TEXT NOT NULL,
                to_screen TEXT NOT NULL,
                count INTEGER NOT NULL,
                PRIMARY KEY (app, run, from_screen, to_screen)
            ) STRICT, WITHOUT ROWID;
            """)

    /// The run a workspace leased now belongs to, which it is counted in.
    static func join(
        _ name: String, at now: Date, _ connection: Connection
    ) throws -> Int64 {
        let at = Value.real(now.timeIntervalSince1970)
        let found = try connection.integer(
            name.isEmpty
                ? """
                SELECT number FROM runs WHERE number =
                    (SELECT max(number) FROM runs)
                AND name = ?1 AND last_at >= ?2
                """
                : "SELECT number FROM runs WHERE name = ?1 AND ?2 IS NOT NULL",
            [
                .text(name),
                .real(now.timeIntervalSince1970 - TestRun.pause),
            ])
        if let found {
            try connection.run(
                """
                UPDATE runs SET workspaces = workspaces + 1, last_at = ? \
                WHERE number = ?
                """, [at, .integer(found)])
            return found
        }
        try connection.run(
            """
            INSERT INTO runs (name, started_at, last_at, workspaces)
            VALUES (?, ?, ?, 1)
            """, [.text(name), at, at])
        let run = connection.lastInsertedID
        let oldest = Value.integer(run - Int64(TestRun.bound))
        try connection.run("DELETE FROM runs WHERE number <= ?", [oldest])
        try connection.run(
            "DELETE FROM transitions WHERE run > 0 AND run <= ?", [oldest])
        return run
    }

    /// Counts what was taken in a workspace to its run, if it has one.
    static func add(
        _ taken: [Transition], in place: Place, at now: Date,
        _ connection: Connection
    ) throws {
        guard !taken.isEmpty,
            let run = try connection.row(
                "SELECT run FROM workspaces WHERE id = ?",
                [.text(place.workspace)], { $0.optionalInteger(0) }) ?? nil
        else { return }
        for one in taken {
            try connection.run(
                """
                INSERT INTO transitions VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """,
                [
                    .text(place.app), .integer(run), .text(one.from),
                    .text(one.to), .integer(one.count),
                ])
        }
        guard run != byHand else { return }
        try connection.run(
            "UPDATE runs SET last_at = ? WHERE number = ?",
            [.real(now.timeIntervalSince1970), .integer(run)])
    }

    static func transitions(
        _ app: String, _ seen: SeenBy, _ connection: Connection
    ) throws -> [Transition] {
        let run: Int64? =
            switch seen {
            case .anybody: nil
            case .hand: byHand
            case .run(let number): Int64(number)
            }
        return try connection.rows(
            """
            SELECT from_screen, to_screen, sum(count) FROM transitions
            WHERE app = ?1 AND (?2 IS NULL OR run = ?2)
            GROUP BY from_screen, to_screen ORDER BY from_screen, to_screen
            """, [.text(app), .integer(run)]
        ) {
            Transition(
                from: $0.text(0), to: $0.text(1), count: Int($0.integer(2)))
        }
    }

    /// Newest first.
    static func runs(_ connection: Connection) throws -> [TestRun] {
        try connection.rows(
            """
            SELECT number, name, started_at, last_at, workspaces FROM runs
            ORDER BY number DESC
            """, []
        ) {
            TestRun(
                number: Int($0.integer(0)), name: $0.text(1),
                startedAt: Date(timeIntervalSince1970: $0.real(2)),
                lastAt: Date(timeIntervalSince1970: $0.real(3)),
                workspaces: Int($0.integer(4)))
        }
    }

    static func forgetHand(_ connection: Connection) throws {
        try connection.run(
            "DELETE FROM transitions WHERE run = ?", [.integer(byHand)])
    }
}
