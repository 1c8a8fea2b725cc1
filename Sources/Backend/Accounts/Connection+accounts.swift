import SQLite

/// Account queries for use inside a read or a write.
extension Connection {
    package func account(_ id: String, in realm: Realm) throws -> Account? {
        let found = try row(
            """
            SELECT \(Account.columns) FROM accounts
            WHERE id = ? AND workspace = ? AND contract = ?
            """, [.text(id), .text(realm.workspace), .text(realm.contract)]
        ) { Account($0) }
        CheckTrace.record(.tokenAccount, found != nil, found == nil ? "account not found" : id)
        return found
    }

    /// `email` is normalized.
    package func account(email: String, in realm: Realm) throws -> Account? {
        let found = try row(
            """
            SELECT \(Account.columns) FROM accounts
            WHERE workspace = ? AND contract = ? AND email = ?
            """, [.text(realm.workspace), .text(realm.contract), .text(email)]
        ) { Account($0) }
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
        try row(
            """
            SELECT \(Account.columns) FROM accounts
            WHERE workspace = ? AND contract = ? AND device_id = ?
            """, [.text(realm.workspace), .text(realm.contract), .text(deviceID)]
        ) { Account($0) }
    }

    /// All accounts, oldest first.
    package func accounts(in realm: Realm) throws -> [Account] {
        try rows(
            """
            SELECT \(Account.columns) FROM accounts
            WHERE workspace = ? AND contract = ? ORDER BY created_at, id
            """, [.text(realm.workspace), .text(realm.contract)]
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
            [
                .text(account.id), .text(account.realm.workspace),
                .text(account.realm.contract), .text(account.email),
                .text(account.passwordHash),
                .integer(account.emailVerifiedAt?.milliseconds),
                .integer(account.disabledAt?.milliseconds),
                .integer(account.lockedUntil?.milliseconds), .text(account.profile),
                .text(account.deviceID), account.createdAt.sqlValue,
                .integer(account.lastLoginAt?.milliseconds),
            ])
        return changedRowCount == 1
    }

    package func recordLogin(of account: String, at now: Timestamp) throws {
        try run(
            "UPDATE accounts SET last_login_at = ? WHERE id = ?", [now.sqlValue, .text(account)])
    }

    /// Marks the address as verified; an earlier verification keeps its time.
    package func verifyEmail(of account: String, at now: Timestamp) throws {
        try run(
            """
            UPDATE accounts
            SET email_verified_at = coalesce(email_verified_at, ?)
            WHERE id = ?
            """, [now.sqlValue, .text(account)])
    }

    package func setPassword(of account: String, hash: String) throws {
        try run(
            "UPDATE accounts SET password_hash = ? WHERE id = ?", [.text(hash), .text(account)])
    }

    /// `profile` is a JSON object as text.
    package func setProfile(of account: String, to profile: String) throws {
        try run("UPDATE accounts SET profile = ? WHERE id = ?", [.text(profile), .text(account)])
    }

    /// Sets an address that was confirmed by mail, so it counts as verified; `email` is normalized.
    package func setVerifiedEmail(of account: String, to email: String, at now: Timestamp) throws {
        try run(
            """
            UPDATE accounts SET email = ?, email_verified_at = ? WHERE id = ?
            """, [.text(email), now.sqlValue, .text(account)])
    }
}
