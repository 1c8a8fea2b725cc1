import SQLite

/// Overrides of the contracts' access token lifetime, for a realm or for one account in it.
struct TokenLifetimes: Sendable {
    let settings: RealmSettings

    /// Accepted lifetimes in seconds, at most a day.
    static let secondsRange = 1...86_400

    /// The name of a realm's own override; that of an account is its id.
    private static let realmName = ""

    init(database: Database) async throws {
        settings = try await RealmSettings("token_lives", nameColumn: "account", database: database)
    }

    /// The account's override, else the realm's, else the contract's default.
    func lifetime(_ contractDefault: Duration, of account: Account) -> Duration {
        settings.value(of: account.id, Self.realmName, in: account.realm).map { .seconds($0) }
            ?? contractDefault
    }

    /// The override of an account, or of the realm if `account` is nil; nil for the contract's
    /// default.
    func overrideSeconds(of account: String?, in realm: Realm) -> Int? {
        settings.value(of: account ?? Self.realmName, in: realm)
    }

    /// Sets an override; nil `seconds` restores the contract's default.
    func setLifetime(_ seconds: Int?, of account: String?, in realm: Realm) async throws {
        try await settings.set([account ?? Self.realmName], to: seconds, in: realm)
    }
}
