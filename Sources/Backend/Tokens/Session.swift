import SQLite

/// A sign-in: everything descended from it by refreshing belongs to it.
struct Session: Sendable, Equatable {
    /// A UUID, lower case; the `session_id` of its access tokens.
    let id: String
    let account: String
    let realm: Realm
    /// How often its refresh token was handed out, from 1; 0 without one.
    var generation: Int
    /// What a contract keeps of the sign-in: a JSON object's text.
    let facts: String
    let createdAt: Moment
    var refreshedAt: Moment?
    var revokedAt: Moment?
    /// For a person: `signed out`, `refresh token reused` …
    var revokedBecause: String?

    init(
        id: String, account: String, realm: Realm, generation: Int, facts: String = "{}",
        createdAt: Moment
    ) {
        self.id = id
        self.account = account
        self.realm = realm
        self.generation = generation
        self.facts = facts
        self.createdAt = createdAt
    }

    /// Reads the columns `Session.columns` from `first` on.
    init(_ row: Row, from first: Int = 0) {
        id = row.text(first)
        account = row.text(first + 1)
        realm = Realm(workspace: row.text(first + 2), contract: row.text(first + 3))
        generation = Int(row.integer(first + 4))
        facts = row.text(first + 5)
        createdAt = row.moment(first + 6)
        refreshedAt = row.optionalMoment(first + 7)
        revokedAt = row.optionalMoment(first + 8)
        revokedBecause = row.optionalText(first + 9)
    }

    static let columns: StaticSQL = """
        sessions.id, sessions.account, sessions.workspace, sessions.contract,
        sessions.generation, sessions.facts, sessions.created_at,
        sessions.refreshed_at, sessions.revoked_at, sessions.revoked_because
        """
    static let columnCount = 10

    /// Digests of refresh tokens a session keeps for recognising reuse; of
    /// an older one only "unknown" can be said.
    static let rememberedTokens = 1_000

    /// Why a session ended, as the console shows it.
    enum End: String, Sendable {
        case signedOut = "signed out"
        case reused = "refresh token reused"
        case passwordChanged = "password changed"
        case administrator = "signed out everywhere by an administrator"
    }
}
