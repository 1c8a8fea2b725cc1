import SQLite

/// Account queries and changes for use inside a read or a write.
extension Connection {
    /// The first account of a realm that satisfies `condition`, whose one parameter is `value`.
    private func account(where condition: StaticSQL, _ value: String, in realm: Realm) throws
        -> Account?
    {
        try row(
            """
            SELECT \(Account.columns) FROM accounts
            WHERE workspace = ? AND contract = ? AND \(condition)
            """, realm.sqlValues + [.text(value)]
        ) { Account($0) }
    }

    package func account(_ id: String, in realm: Realm) throws -> Account? {
        let found = try account(where: "id = ?", id, in: realm)
        CheckTrace.record(.tokenAccount, found != nil, found == nil ? "account not found" : id)
        return found
    }

    /// `email` is normalized.
    package func account(email: String, in realm: Realm) throws -> Account? {
        let found = try account(where: "email = ?", email, in: realm)
        if CheckTrace.isPlanned(.emailAvailable) {
            CheckTrace.record(
                .emailAvailable, found == nil,
                found.map { "used by \($0.id)" } ?? "no account with this email")
        } else {
            CheckTrace.record(.account, found != nil, found?.id ?? "no account with this email")
        }
        return found
    }

    /// `deviceID` is a lowercase UUID.
    package func account(deviceID: String, in realm: Realm) throws -> Account? {
        try account(where: "device_id = ?", deviceID, in: realm)
    }

    /// All accounts, oldest first.
    package func accounts(in realm: Realm) throws -> [Account] {
        try rows(
            """
            SELECT \(Account.columns) FROM accounts
            WHERE workspace = ? AND contract = ? ORDER BY created_at, id
            """, realm.sqlValues
        ) { Account($0) }
    }

    /// Adds `account`; false if its email or device is taken.
    package func add(_ account: Account) throws -> Bool {
        try run(
            """
            INSERT INTO accounts (id, workspace, contract, email,
                password_hash, email_verified_at, disabled_at, locked_until,
                profile, device_id, created_at, last_login_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [.text(account.id)] + account.realm.sqlValues + [
                .text(account.email), .text(account.passwordHash),
                .timestamp(account.emailVerifiedAt), .timestamp(account.disabledAt),
                .timestamp(account.lockedUntil), .text(account.profile), .text(account.deviceID),
                .timestamp(account.createdAt), .timestamp(account.lastLoginAt),
            ])
        return changedRowCount == 1
    }

    /// Deletes the account with its sessions and codes.
    package func remove(account: String) throws {
        try run("DELETE FROM accounts WHERE id = ?", [.text(account)])
    }

    // MARK: Changes

    private func set(_ column: StaticSQL, of account: String, to value: Value) throws {
        try run("UPDATE accounts SET \(column) = ? WHERE id = ?", [value, .text(account)])
    }

    package func recordLogin(of account: String, at now: Timestamp) throws {
        try set("last_login_at", of: account, to: .timestamp(now))
    }

    package func setPassword(of account: String, hash: String) throws {
        try set("password_hash", of: account, to: .text(hash))
    }

    /// `profile` is a JSON object as text.
    package func setProfile(of account: String, to profile: String) throws {
        try set("profile", of: account, to: .text(profile))
    }

    /// Marks the address as verified; an earlier verification keeps its time.
    package func verifyEmail(of account: String, at now: Timestamp) throws {
        try run(
            """
            UPDATE accounts SET email_verified_at = coalesce(email_verified_at, ?)
            WHERE id = ?
            """, [.timestamp(now), .text(account)])
    }

    func unverifyEmail(of account: String) throws {
        try set("email_verified_at", of: account, to: .null)
    }

    /// Sets an address and when it was verified, nil if it was not; `email` is normalized and not
    /// taken.
    package func setEmail(of account: String, to email: String, verifiedAt: Timestamp?) throws {
        try run(
            "UPDATE accounts SET email = ?, email_verified_at = ? WHERE id = ?",
            [.text(email), .timestamp(verifiedAt), .text(account)])
    }

    /// Nil enables the account again.
    func setDisabled(account: String, at disabledAt: Timestamp?) throws {
        try set("disabled_at", of: account, to: .timestamp(disabledAt))
    }

    /// Nil removes the lock.
    package func setLock(account: String, until lockedUntil: Timestamp?) throws {
        try set("locked_until", of: account, to: .timestamp(lockedUntil))
    }
}
