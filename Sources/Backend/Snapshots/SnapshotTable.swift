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
            last_login_at, sequence
            """),
        SnapshotTable(
            "sessions",
            """
            id, account, workspace, contract, generation, facts, created_at,
            refreshed_at, revoked_at, revoked_because
            """),
        SnapshotTable(
            "refresh_tokens", "digest, session, generation, issued_at, used_at, reused_at",
            realmCondition: """
                session IN (SELECT id FROM sessions
                    WHERE workspace = ?2 AND contract = ?3)
                """),
        SnapshotTable(
            "challenges",
            """
            digest, account, workspace, contract, purpose, email, mail,
            attempts, created_at, expires_at, used_at, replaced_at
            """),
        SnapshotTable(
            "flows", "link, account, challenge, method, code, opened_at, used_at",
            realmCondition: """
                account IN (SELECT id FROM accounts
                    WHERE workspace = ?2 AND contract = ?3)
                """),
        SnapshotTable(
            "mails",
            """
            sequence, id, workspace, contract, recipient, purpose, subject,
            expires_at, used_at, sent_at, sealed
            """),
        SnapshotTable(
            "mail_requests",
            """
            sequence, workspace, contract, email, purpose, outcome, free_at,
            requested_at
            """), SnapshotTable("token_lives", "workspace, contract, account, seconds"),
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
        Int(
            try connection.integer(
                "SELECT count(*) FROM \(name) WHERE \(realmCondition) AND ?1 = ?1",
                Self.bindings("", realm)) ?? 0)
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
