import SQLite
import Web

/// A user of the backend, identified by email address or by device.
package struct Account: Sendable, Equatable {
    /// A UUID, lowercase.
    package let id: String
    package let realm: Realm
    /// Normalized, unique in its realm; nil for a device's account.
    package var email: String?
    /// In the format of `crypt(5)`; nil for accounts that sign in without a password.
    package var passwordHash: String?
    package var emailVerifiedAt: Timestamp?
    package var disabledAt: Timestamp?
    package var lockedUntil: Timestamp?
    /// Further data of the contract: a JSON object as text.
    package var profile: String
    /// A UUID, lowercase, unique in its realm.
    package var deviceID: String?
    package let createdAt: Timestamp
    package var lastLoginAt: Timestamp?
    /// E.164 with its `+`, unique in its realm.
    package var phone: String?
    package var phoneVerifiedAt: Timestamp?
    /// As read with the account, oldest first; changed by queries of their own.
    package private(set) var identities: [Identity] = []
    /// As read with the account, oldest first; changed by queries of their own.
    package private(set) var factors: [Factor] = []

    package init(
        id: String, realm: Realm, email: String? = nil, passwordHash: String? = nil,
        emailVerifiedAt: Timestamp? = nil, profile: String = "{}", deviceID: String? = nil,
        createdAt: Timestamp, lastLoginAt: Timestamp? = nil
    ) {
        self.id = id
        self.realm = realm
        self.email = email
        self.passwordHash = passwordHash
        self.emailVerifiedAt = emailVerifiedAt
        self.profile = profile
        self.deviceID = deviceID
        self.createdAt = createdAt
        self.lastLoginAt = lastLoginAt
    }

    /// The columns that `init(_:from:)` reads.
    static let columns: StaticSQL = "accounts.*, \(Identity.list), \(Factor.list)"

    /// Reads `columns` from column `first` on, except the sequence.
    init(_ row: Row, from first: Int = 0) {
        id = row.text(first)
        realm = Realm(row, from: first + 1)
        email = row.optionalText(first + 3)
        passwordHash = row.optionalText(first + 4)
        emailVerifiedAt = row.optionalTimestamp(first + 5)
        disabledAt = row.optionalTimestamp(first + 6)
        lockedUntil = row.optionalTimestamp(first + 7)
        profile = row.text(first + 8)
        deviceID = row.optionalText(first + 9)
        createdAt = row.timestamp(first + 10)
        lastLoginAt = row.optionalTimestamp(first + 11)
        phone = row.optionalText(first + 13)
        phoneVerifiedAt = row.optionalTimestamp(first + 14)
        identities = Self.list(row.text(first + 15)).compactMap(Identity.init)
        factors = Self.list(row.text(first + 16)).compactMap(Factor.init)
    }

    private static func list(_ text: String) -> [JSON] {
        guard text != "[]", case .array(let items)? = try? JSON(parsing: text) else { return [] }
        return items
    }

    /// The number of `columns`.
    static let columnCount = 17

    /// Whether its email address needs no verification.
    package var isVerified: Bool { email == nil || emailVerifiedAt != nil }
}

/// An email address normalized for lookup: trimmed and lowercase.
package struct EmailAddress: Sendable, Hashable {
    package let text: String

    /// RFC 5321, 4.5.3.1.3, without the angle brackets.
    package static let maxLength = 254

    /// Nil unless the text matches `^[^\s@]+@[^\s@]+\.[^\s@]+$` (F-07, Validation Rules), has at
    /// most 254 bytes and no control character. `needsDot` is false for a server that accepts
    /// `ada@localhost`.
    package init?(_ raw: String, needsDot: Bool = true) {
        var scalars = raw.unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        let parts = scalars.split(separator: "@", omittingEmptySubsequences: false)
        guard scalars.allSatisfy(Self.isAllowed), parts.count == 2, !parts[0].isEmpty,
            // A dot with something before and after it.
            needsDot ? parts[1].dropFirst().dropLast().contains(".") : !parts[1].isEmpty
        else { return nil }
        let text = String(scalars).lowercased()
        guard text.utf8.count <= Self.maxLength else { return nil }
        self.text = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }
}

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
            """,
            realm.sqlValues + [.text(value)]
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

    /// `phone` is in E.164 format.
    package func account(phone: String, in realm: Realm) throws -> Account? {
        try account(where: "phone = ?", phone, in: realm)
    }

    /// All accounts, oldest first.
    package func accounts(in realm: Realm) throws -> [Account] {
        try rows(
            """
            SELECT \(Account.columns) FROM accounts
            WHERE workspace = ? AND contract = ? ORDER BY created_at, id
            """,
            realm.sqlValues
        ) { Account($0) }
    }

    /// A page of the accounts, newest first unless `isAscending`, and how many there are. `text` is
    /// part of the address, the number, or the value at `path` in the profile, in any case; `value`
    /// is at a path of its own, where a profile without it has the standard one.
    package func accounts(
        containing text: String?, profilePath path: String,
        value: (path: String, text: String, standard: String), isAscending: Bool, offset: Int,
        limit: Int, in realm: Realm
    ) throws -> (accounts: [Account], total: Int) {
        let condition: StaticSQL = """
            workspace = ?1 AND contract = ?2 AND coalesce(json_extract(profile, ?5), ?6) = ?7
            AND (?3 IS NULL OR instr(lower(coalesce(email, '')
                || char(10) || coalesce(phone, '') || char(10)
                || coalesce(json_extract(profile, ?4), '')), lower(?3)))
            """
        let values =
            realm.sqlValues + [.text(text), .text(path)]
            + [value.path, value.standard, value.text].map(Value.text)
        let order: StaticSQL =
            isAscending ? "created_at, sequence" : "created_at DESC, sequence DESC"
        return (
            try rows(
                """
                SELECT \(Account.columns) FROM accounts WHERE \(condition)
                ORDER BY \(order) LIMIT ?8 OFFSET ?9
                """, values + [.integer(limit), .integer(offset)]
            ) { Account($0) }, try count("SELECT count(*) FROM accounts WHERE \(condition)", values)
        )
    }

    /// Adds `account` without identities and factors; false if its email, phone or device is taken.
    package func add(_ account: Account) throws -> Bool {
        try run(
            """
            INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [.text(account.id)] + account.realm.sqlValues + [
                .text(account.email), .text(account.passwordHash),
                .timestamp(account.emailVerifiedAt), .timestamp(account.disabledAt),
                .timestamp(account.lockedUntil), .text(account.profile), .text(account.deviceID),
                .timestamp(account.createdAt), .timestamp(account.lastLoginAt),
                .text(account.phone), .timestamp(account.phoneVerifiedAt),
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
            "UPDATE accounts SET email_verified_at = coalesce(email_verified_at, ?) WHERE id = ?",
            [.timestamp(now), .text(account)])
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

    /// Removes the address.
    package func removeEmail(of account: String) throws {
        try run(
            "UPDATE accounts SET email = NULL, email_verified_at = NULL WHERE id = ?",
            [.text(account)])
    }

    /// Sets a number in E.164 format, nil to remove it, and when it was verified; `phone` is not
    /// taken.
    package func setPhone(of account: String, to phone: String?, verifiedAt: Timestamp?) throws {
        try run(
            "UPDATE accounts SET phone = ?, phone_verified_at = ? WHERE id = ?",
            [.text(phone), .timestamp(verifiedAt), .text(account)])
    }

    /// Removes the password: the account can then sign in by other means only.
    package func removePassword(of account: String) throws {
        try set("password_hash", of: account, to: .null)
    }

    /// Nil enables the account again.
    package func setDisabled(account: String, at disabledAt: Timestamp?) throws {
        try set("disabled_at", of: account, to: .timestamp(disabledAt))
    }

    /// Nil removes the lock.
    package func setLock(account: String, until lockedUntil: Timestamp?) throws {
        try set("locked_until", of: account, to: .timestamp(lockedUntil))
    }
}
