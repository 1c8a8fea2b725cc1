package import SQLite
import Web

/// An account's identity at a sign-in provider.
package struct Identity: Sendable, Equatable {
    /// A UUID, lowercase.
    package let id: String
    /// The provider's name as the contract writes it: `google`, `google.com`, `email`, `phone`.
    package let provider: String
    /// The user's id at the provider, unique for a provider in its realm.
    package let subject: String
    /// What the provider reported about the user: a JSON object as text.
    package var data: String
    package let createdAt: Timestamp
    package var updatedAt: Timestamp
    package var lastSignInAt: Timestamp?

    package init(
        id: String, provider: String, subject: String, data: String, createdAt: Timestamp,
        lastSignInAt: Timestamp? = nil
    ) {
        self.id = id
        self.provider = provider
        self.subject = subject
        self.data = data
        self.createdAt = createdAt
        updatedAt = createdAt
        self.lastSignInAt = lastSignInAt
    }

    /// A SELECT of an account's identities as a JSON array, oldest first.
    static let list: StaticSQL = """
        (SELECT json_group_array(json(item)) FROM (
            SELECT json_array(id, provider, subject, data, created_at, updated_at,
                last_sign_in_at) AS item
            FROM identities WHERE account = accounts.id ORDER BY created_at, id))
        """

    /// An element of `list`.
    init?(_ json: JSON) {
        guard let id = json[0]?.string, let provider = json[1]?.string,
            let subject = json[2]?.string, let data = json[3]?.string,
            let createdAt = json.timestamp(at: 4), let updatedAt = json.timestamp(at: 5)
        else { return nil }
        self.init(
            id: id, provider: provider, subject: subject, data: data, createdAt: createdAt,
            lastSignInAt: json.timestamp(at: 6))
        self.updatedAt = updatedAt
    }
}

/// Identity queries for use inside a read or a write.
extension Connection {
    /// The account with this identity.
    package func account(provider: String, subject: String, in realm: Realm) throws -> Account? {
        let owner = try text(
            """
            SELECT account FROM identities WHERE workspace = ? AND contract = ?
                AND provider = ? AND subject = ?
            """, realm.sqlValues + [.text(provider), .text(subject)])
        return try owner.flatMap { try account($0, in: realm) }
    }

    /// Adds an identity, or replaces the data and times of the account's own one of this provider
    /// and subject. False if it belongs to another account.
    package func save(_ identity: Identity, of account: Account) throws -> Bool {
        try run(
            """
            INSERT INTO identities VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (workspace, contract, provider, subject) DO UPDATE SET
                data = excluded.data, updated_at = excluded.updated_at,
                last_sign_in_at = excluded.last_sign_in_at
                WHERE account = excluded.account
            """,
            [.text(identity.id), .text(account.id)] + account.realm.sqlValues + [
                .text(identity.provider), .text(identity.subject), .text(identity.data),
                identity.createdAt.sqlValue, identity.updatedAt.sqlValue,
                .timestamp(identity.lastSignInAt),
            ])
        return changedRowCount == 1
    }

    /// Removes an identity by its id.
    package func remove(identity: String) throws {
        try run("DELETE FROM identities WHERE id = ?", [.text(identity)])
    }
}
