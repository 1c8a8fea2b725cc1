import Core
package import FoundationEssentials
import SQLite

/// The database tables of test runs and their transitions. Run 0 is manual use; Foyer's own
/// playback has none.
enum TransitionTable {
    static let manualRun: Int64 = 0

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
            UPDATE workspaces SET run = 0 WHERE expires_at IS NULL;

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

    /// Adds a workspace to the newest run of `name` if that is active and not `isNew`, otherwise to
    /// a new run; returns the run's number.
    static func joinRun(
        _ workspace: String, _ name: String, isNew: Bool, at now: Date, _ connection: Connection
    ) throws -> Int64 {
        let at = Value.date(now)
        let current =
            isNew
            ? nil
            : try connection.integer(
                """
                SELECT number FROM runs
                WHERE number = (SELECT max(number) FROM runs WHERE name = ?1)
                    AND (last_at >= ?2 OR name <> '' AND EXISTS (
                        SELECT 1 FROM workspaces
                        WHERE run = number AND expires_at > ?3))
                """, [.text(name), .real(now.timeIntervalSince1970 - TestRun.idleTimeout), at])
        let run = try current ?? insertRun(name, at, connection)
        try connection.run(
            "UPDATE runs SET workspaces = workspaces + 1, last_at = ? WHERE number = ?",
            [at, .integer(run)])
        try connection.run(
            "UPDATE workspaces SET run = ? WHERE id = ?", [.integer(run), .text(workspace)])
        return run
    }

    /// Inserts a run without workspaces and deletes the least recently active one beyond the
    /// maximum.
    private static func insertRun(_ name: String, _ at: Value, _ connection: Connection) throws
        -> Int64
    {
        try connection.run(
            """
            INSERT INTO runs (name, started_at, last_at, workspaces)
            VALUES (?, ?, ?, 0)
            """, [.text(name), at, at])
        let run = connection.lastInsertedID
        try connection.run(
            """
            DELETE FROM runs WHERE number NOT IN (
                SELECT number FROM runs
                ORDER BY last_at DESC, number DESC LIMIT ?)
            """, [.integer(TestRun.maxCount)])
        try connection.run(
            """
            DELETE FROM transitions
            WHERE run > 0 AND run NOT IN (SELECT number FROM runs)
            """)
        return run
    }

    /// Adds the transitions in a workspace to its run, if that is still stored.
    static func add(
        _ transitions: [Transition], in instance: AppInstance, at now: Date,
        _ connection: Connection
    ) throws {
        guard !transitions.isEmpty,
            let run = try connection.integer(
                """
                SELECT run FROM workspaces WHERE id = ? AND
                    (run = 0 OR run IN (SELECT number FROM runs))
                """, [.text(instance.workspace)])
        else { return }
        for transition in transitions {
            try connection.run(
                """
                INSERT INTO transitions VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """,
                [
                    .text(instance.app), .integer(run), .text(transition.from),
                    .text(transition.to), .integer(transition.count),
                ])
        }
        try connection.run(
            "UPDATE runs SET last_at = ? WHERE number = ?", [.date(now), .integer(run)])
    }
}

extension Simulator {
    /// The observed transitions of an app, with their counts.
    package func transitions(of app: String, _ scope: TransitionScope) async throws -> [Transition]
    {
        let run: Int64? =
            switch scope {
            case .all: nil
            case .manual: TransitionTable.manualRun
            case .run(let number): Int64(number)
            }
        return try await database.rows(
            """
            SELECT from_screen, to_screen, sum(count) FROM transitions
            WHERE app = ?1 AND (?2 IS NULL OR run = ?2)
            GROUP BY from_screen, to_screen ORDER BY from_screen, to_screen
            """, [.text(app), .integer(run)]
        ) { Transition(from: $0.text(0), to: $0.text(1), count: Int($0.integer(2))) }
    }

    /// Counts transitions in `workspace` for a test run and returns the run's number. An empty
    /// `name` is the run without a name. `startsNewRun` starts another run even if one of that name
    /// is active.
    ///
    /// `currentInstance` is an app that already shows a screen: that is counted too.
    package func assignWorkspace(
        _ workspace: String, toTestRun name: String, startsNewRun: Bool = false,
        currentInstance instance: AppInstance?
    ) async throws -> Int {
        let now = world.now()
        var shown: [Transition] = []
        if let instance {
            let status = try await status(instance)
            if !status.visits.isEmpty {
                shown = [Transition(from: "", to: status.screen, count: 1)]
            }
        }
        return try await database.writeThrowingProblems { [shown] connection in
            let run = try TransitionTable.joinRun(
                workspace, name, isNew: startsNewRun, at: now, connection)
            if let instance { try TransitionTable.add(shown, in: instance, at: now, connection) }
            return Int(run)
        }
    }

    /// The stored test runs, the most recently active first.
    package func testRuns() async throws -> [TestRun] {
        try await database.rows(
            """
            SELECT number, name, started_at, last_at, workspaces FROM runs
            ORDER BY last_at DESC, number DESC
            """
        ) {
            TestRun(
                number: Int($0.integer(0)), name: $0.text(1), startedAt: $0.date(2),
                lastActivityAt: $0.date(3), workspaceCount: Int($0.integer(4)))
        }
    }
}

/// A test run: the workspaces leased by one run of tests.
///
/// A leased workspace joins the newest run of its name (or without a name) if that was active
/// within the last minute or, with a name, has an open workspace; otherwise it starts a new run.
package struct TestRun: Sendable, Equatable {
    package let number: Int
    /// Empty if unnamed.
    package var name: String
    /// By the system clock, like `lastActivityAt`.
    package var startedAt: Date
    /// When one of its workspaces was last leased, showed a screen, or was ended.
    package var lastActivityAt: Date
    /// Number of leased workspaces.
    package var workspaceCount: Int

    /// Seconds without activity after which a run is over.
    package static let idleTimeout = 60.0
    /// Number of stored runs, the most recently active.
    package static let maxCount = 20
    /// Maximal length of a name in bytes.
    package static let maxNameLength = 80
}

/// Which transitions are counted.
package enum TransitionScope: Sendable, Equatable {
    /// Manual use and all stored test runs.
    case all
    case manual
    case run(Int)
}

/// An observed transition from one screen of an app to another.
package struct Transition: Sendable, Equatable {
    /// Empty if the screen was shown without one before: a start, a reload of the app.
    package var from: String
    package var to: String
    package var count: Int

    package init(from: String, to: String, count: Int) {
        self.from = from
        self.to = to
        self.count = count
    }
}
