import SQLite

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

    package init(
        id: String, realm: Realm, email: String? = nil, passwordHash: String? = nil,
        profile: String = "{}", deviceID: String? = nil, createdAt: Timestamp,
        lastLoginAt: Timestamp? = nil
    ) {
        self.id = id
        self.realm = realm
        self.email = email
        self.passwordHash = passwordHash
        self.profile = profile
        self.deviceID = deviceID
        self.createdAt = createdAt
        self.lastLoginAt = lastLoginAt
    }

    /// Reads `Account.columns` from column `first` on.
    init(_ row: Row, from first: Int = 0) {
        id = row.text(first)
        realm = Realm(workspace: row.text(first + 1), contract: row.text(first + 2))
        email = row.optionalText(first + 3)
        passwordHash = row.optionalText(first + 4)
        emailVerifiedAt = row.optionalTimestamp(first + 5)
        disabledAt = row.optionalTimestamp(first + 6)
        lockedUntil = row.optionalTimestamp(first + 7)
        profile = row.text(first + 8)
        deviceID = row.optionalText(first + 9)
        createdAt = row.timestamp(first + 10)
        lastLoginAt = row.optionalTimestamp(first + 11)
    }

    static let columns: StaticSQL = """
        accounts.id, accounts.workspace, accounts.contract, accounts.email,
        accounts.password_hash, accounts.email_verified_at,
        accounts.disabled_at, accounts.locked_until, accounts.profile,
        accounts.device_id, accounts.created_at, accounts.last_login_at
        """
    static let columnCount = 12

    /// Whether its email address needs no verification.
    package var isVerified: Bool { email == nil || emailVerifiedAt != nil }
}
