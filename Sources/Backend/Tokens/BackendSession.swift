import SQLite

/// A sign-in: everything descended from it by refreshing belongs to it.
struct BackendSession: Sendable, Equatable {
    /// A UUID, lower case; the `session_id` of its access tokens.
    let id: String
    let accountID: String
    let realm: Realm
    /// How often its refresh token was handed out, from 1; 0 without one.
    var generation: Int
    /// What a contract keeps of the sign-in: a JSON object's text.
    let contractData: String
    let createdAt: Timestamp
    var refreshedAt: Timestamp?
    var revokedAt: Timestamp?
    /// For a person: `signed out`, `refresh token reused` …
    var revocationReason: String?

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

    /// Reads the columns `Session.columns` from `first` on.
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

    /// Digests of refresh tokens a session keeps for recognising reuse; of
    /// an older one only "unknown" can be said.
    static let maxStoredRefreshTokens = 1_000

    /// Why a session ended, as the console shows it.
    enum EndReason: String, Sendable {
        case signedOut = "signed out"
        case refreshTokenReused = "refresh token reused"
        case passwordChanged = "password changed"
        case signedOutByAdministrator = "signed out everywhere by an administrator"
    }
}
