import SQLite
import Synchronization

/// How long access tokens live where somebody wanted it otherwise than the
/// contract: in a whole realm, or for one account in it.
///
/// Asked with every token that is signed, so it is kept in memory beside the
/// table. It takes one more entry for each account that was given a life.
final class TokenLifetimes: Sendable {
    private let database: Database
    private let overrides: Mutex<[Key: Int]>

    /// Seconds somebody may wish for: a day at most.
    static let secondsRange = 1...86_400

    private struct Key: Hashable {
        var realm: Realm
        /// Empty for the whole realm.
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

    /// The account's own life, else the realm's, else the contract's.
    func lifetime(_ contract: Duration, of account: Account) -> Duration {
        let own = Key(realm: account.realm, accountID: account.id)
        let all = Key(realm: account.realm, accountID: "")
        let seconds = overrides.withLock { $0.isEmpty ? nil : $0[own] ?? $0[all] }
        return seconds.map { .seconds($0) } ?? contract
    }

    /// What was wished for, nil for the contract's own; of the realm without
    /// an `account`.
    func overrideSeconds(of account: String?, in realm: Realm) -> Int? {
        overrides.withLock { $0[Key(realm: realm, accountID: account ?? "")] }
    }

    /// `seconds` is nil for the contract's own again.
    func setLifetime(_ seconds: Int?, of account: String?, in realm: Realm) async throws {
        let key = Key(realm: realm, accountID: account ?? "")
        let place: [Value] = [.text(realm.workspace), .text(realm.contract), .text(key.accountID)]
        try await database.write { connection in
            if let seconds {
                try connection.run(
                    "INSERT OR REPLACE INTO token_lives VALUES (?, ?, ?, ?)",
                    place + [.integer(seconds)])
            } else {
                try connection.run(
                    """
                    DELETE FROM token_lives
                    WHERE workspace = ? AND contract = ? AND account = ?
                    """, place)
            }
        }
        overrides.withLock { $0[key] = seconds }
    }

    /// The same life for many accounts, in one write.
    func setLifetime(_ seconds: Int, of accounts: [String], in realm: Realm) async throws {
        guard !accounts.isEmpty else { return }
        try await database.write { connection in
            for account in accounts {
                try connection.run(
                    "INSERT OR REPLACE INTO token_lives VALUES (?, ?, ?, ?)",
                    [
                        .text(realm.workspace), .text(realm.contract), .text(account),
                        .integer(seconds),
                    ])
            }
        }
        overrides.withLock { set in
            for account in accounts { set[Key(realm: realm, accountID: account)] = seconds }
        }
    }

    /// Takes over what the table says; something else wrote it.
    func reload() async throws {
        let rows = try await database.read(Self.loadOverrides)
        overrides.withLock { $0 = rows }
    }

    /// An emptied workspace has everything as the contracts have it.
    func clear(workspace: String) async throws {
        try await database.write { connection in
            try connection.run("DELETE FROM token_lives WHERE workspace = ?", [.text(workspace)])
        }
        overrides.withLock { set in set = set.filter { $0.key.realm.workspace != workspace } }
    }
}
