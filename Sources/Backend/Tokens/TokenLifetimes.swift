import SQLite
import Synchronization

/// Overrides of the contracts' access token lifetime, for a realm or for one account in it.
///
/// Read for every signed token, so the table is also held in memory: one entry per realm or account
/// with an override.
final class TokenLifetimes: Sendable {
    private let database: Database
    private let overrides: Mutex<[Key: Int]>

    /// Accepted lifetimes in seconds, at most a day.
    static let secondsRange = 1...86_400

    private struct Key: Hashable {
        var realm: Realm
        /// Empty for an override of the realm.
        var accountID: String
    }

    init(database: Database) async throws {
        self.database = database
        overrides = Mutex(try await database.read(Self.loadOverrides))
    }

    private static func loadOverrides(_ connection: Connection) throws -> [Key: Int] {
        let rows = try connection.rows(
            "SELECT workspace, contract, account, seconds FROM token_lives"
        ) { row in
            let realm = Realm(workspace: row.text(0), contract: row.text(1))
            return (Key(realm: realm, accountID: row.text(2)), Int(row.integer(3)))
        }
        return Dictionary(rows) { $1 }
    }

    /// The account's override, else the realm's, else the contract's default.
    func lifetime(_ contractDefault: Duration, of account: Account) -> Duration {
        let accountKey = Key(realm: account.realm, accountID: account.id)
        let realmKey = Key(realm: account.realm, accountID: "")
        let seconds = overrides.withLock { $0.isEmpty ? nil : $0[accountKey] ?? $0[realmKey] }
        return seconds.map { .seconds($0) } ?? contractDefault
    }

    /// The override of an account, or of the realm if `account` is nil; nil for the contract's
    /// default.
    func overrideSeconds(of account: String?, in realm: Realm) -> Int? {
        overrides.withLock { $0[Key(realm: realm, accountID: account ?? "")] }
    }

    /// Sets the override of an account, or of the realm if `account` is nil; nil `seconds` restores
    /// the contract's default.
    func setLifetime(_ seconds: Int?, of account: String?, in realm: Realm) async throws {
        try await setLifetime(seconds, of: [account ?? ""], in: realm)
    }

    /// Sets the same lifetime for many accounts in one write.
    func setLifetime(_ seconds: Int?, of accounts: [String], in realm: Realm) async throws {
        guard !accounts.isEmpty else { return }
        try await database.write { connection in
            for account in accounts {
                let key = realm.sqlValues + [.text(account)]
                if let seconds {
                    try connection.run(
                        "INSERT OR REPLACE INTO token_lives VALUES (?, ?, ?, ?)",
                        key + [.integer(seconds)])
                } else {
                    try connection.run(
                        """
                        DELETE FROM token_lives
                        WHERE workspace = ? AND contract = ? AND account = ?
                        """, key)
                }
            }
        }
        overrides.withLock { entries in
            for account in accounts { entries[Key(realm: realm, accountID: account)] = seconds }
        }
    }

    /// Reads the table again after other code wrote it.
    func reload() async throws {
        let rows = try await database.read(Self.loadOverrides)
        overrides.withLock { $0 = rows }
    }

    /// Removes all overrides of a workspace.
    func clear(workspace: String) async throws {
        try await database.write { connection in
            try connection.run(
                "DELETE FROM token_lives WHERE workspace = ?", [.text(workspace)])
        }
        overrides.withLock { entries in
            entries = entries.filter { $0.key.realm.workspace != workspace }
        }
    }
}
