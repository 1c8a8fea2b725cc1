import SQLite

/// A sign-in, with every token refreshed from it.
package struct BackendSession: Sendable, Equatable {
    /// A UUID, lowercase; the `session_id` of its access tokens.
    package let id: String
    package let accountID: String
    let realm: Realm
    /// How many refresh tokens were issued, from 1; 0 for a session without one.
    var generation: Int
    /// The contract's own data about the sign-in: a JSON object as text.
    package let contractData: String
    package let createdAt: Timestamp
    var refreshedAt: Timestamp?
    package var revokedAt: Timestamp?
    /// Display text: `signed out`, `refresh token reused` …
    package var revocationReason: String?

    init(
        id: String, accountID: String, realm: Realm, generation: Int, contractData: String = "{}",
        createdAt: Timestamp
    ) {
        self.id = id
        self.accountID = accountID
        self.realm = realm
        self.generation = generation
        self.contractData = contractData
        self.createdAt = createdAt
    }

    /// Reads `BackendSession.columns` from column `first` on.
    init(_ row: Row, from first: Int = 0) {
        id = row.text(first)
        accountID = row.text(first + 1)
        realm = Realm(workspace: row.text(first + 2), contract: row.text(first + 3))
        generation = Int(row.integer(first + 4))
        contractData = row.text(first + 5)
        createdAt = row.timestamp(first + 6)
        refreshedAt = row.optionalTimestamp(first + 7)
        revokedAt = row.optionalTimestamp(first + 8)
        revocationReason = row.optionalText(first + 9)
    }

    static let columns: StaticSQL = """
        sessions.id, sessions.account, sessions.workspace, sessions.contract,
        sessions.generation, sessions.facts, sessions.created_at,
        sessions.refreshed_at, sessions.revoked_at, sessions.revoked_because
        """
    static let columnCount = 10

    /// Refresh token digests stored per session to detect reuse; an older token is reported as
    /// unknown.
    static let maxStoredRefreshTokens = 1_000

    /// Why a session ended, as shown by the console.
    package enum EndReason: String, Sendable {
        case signedOut = "signed out"
        case refreshTokenReused = "refresh token reused"
        case passwordChanged = "password changed"
        case signedOutByAdministrator = "signed out everywhere by an administrator"
    }
}
