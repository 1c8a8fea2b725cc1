import SQLite

/// A table whose rows a snapshot keeps.
struct KeptTable: Sendable {
    let name: StaticSQL
    let columns: StaticSQL
    /// Which of its rows are those of one contract in one workspace.
    let belongs: StaticSQL

    /// Parents before what refers to them.
    static let all: [KeptTable] = [
        KeptTable(
            "accounts",
            """
            id, workspace, contract, email, password_hash, email_verified_at,
            disabled_at, locked_until, profile, device_id, created_at,
            last_login_at, sequence
            """),
        KeptTable(
            "sessions",
            """
            id, account, workspace, contract, generation, facts, created_at,
            refreshed_at, revoked_at, revoked_because
            """),
        KeptTable(
            "refresh_tokens", "digest, session, generation, issued_at, used_at, reused_at",
            belongs: """
                session IN (SELECT id FROM sessions
                    WHERE workspace = ?2 AND contract = ?3)
                """),
        KeptTable(
            "challenges",
            """
            digest, account, workspace, contract, purpose, email, mail,
            attempts, created_at, expires_at, used_at, replaced_at
            """),
        KeptTable(
            "flows", "link, account, challenge, method, code, opened_at, used_at",
            belongs: """
                account IN (SELECT id FROM accounts
                    WHERE workspace = ?2 AND contract = ?3)
                """),
        KeptTable(
            "mails",
            """
            sequence, id, workspace, contract, recipient, purpose, subject,
            expires_at, used_at, sent_at, sealed
            """),
        KeptTable(
            "mail_requests",
            """
            sequence, workspace, contract, email, purpose, outcome, free_at,
            requested_at
            """), KeptTable("token_lives", "workspace, contract, account, seconds"),
    ]

    private init(
        _ name: StaticSQL, _ columns: StaticSQL,
        belongs: StaticSQL = "workspace = ?2 AND contract = ?3"
    ) {
        self.name = name
        self.columns = columns
        self.belongs = belongs
    }

    func count(_ realm: Realm, _ connection: Connection) throws -> Int {
        Int(
            try connection.integer(
                "SELECT count(*) FROM \(name) WHERE \(belongs) AND ?1 = ?1", Self.values("", realm))
                ?? 0)
    }

    func keep(_ snapshot: String, _ realm: Realm, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO kept_\(name) (snapshot, \(columns))
            SELECT ?1, \(columns) FROM \(name) WHERE \(belongs)
            """, Self.values(snapshot, realm))
    }

    func empty(_ realm: Realm, _ connection: Connection) throws {
        try connection.run(
            "DELETE FROM \(name) WHERE \(belongs) AND ?1 = ?1", Self.values("", realm))
    }

    /// Into an empty table, as far as these contracts go.
    func putBack(_ snapshot: String, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO \(name) (\(columns))
            SELECT \(columns) FROM kept_\(name) WHERE snapshot = ?
            """, [.text(snapshot)])
    }

    private static func values(_ snapshot: String, _ realm: Realm) -> [Value] {
        [.text(snapshot), .text(realm.workspace), .text(realm.contract)]
    }
}
