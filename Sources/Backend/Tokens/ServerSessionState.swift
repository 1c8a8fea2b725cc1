package import FoundationEssentials

/// The embedded backend's own record of a session, read directly instead of by a request.
package struct ServerSessionState: Sendable, Equatable {
    /// Nil if the server has no such session, or no longer.
    package var session: EmbeddedBackend.SessionInfo?
    /// Nil if there is no such account, or no longer.
    package var account: EmbeddedBackend.SessionAccount?
    /// One element per requested refresh token; nil for one the server never issued or has deleted.
    package var requestedTokens: [EmbeddedBackend.RefreshTokenInfo?]
    /// The newest 100 of the session's refresh tokens, oldest first.
    package var issuedTokens: [EmbeddedBackend.RefreshTokenInfo]
    /// Whether the stored access token was signed by the server.
    package var isAccessTokenRecognized: Bool

    package init(
        session: EmbeddedBackend.SessionInfo?, account: EmbeddedBackend.SessionAccount?,
        requestedTokens: [EmbeddedBackend.RefreshTokenInfo?] = [],
        issuedTokens: [EmbeddedBackend.RefreshTokenInfo] = [], isAccessTokenRecognized: Bool = true
    ) {
        self.session = session
        self.account = account
        self.requestedTokens = requestedTokens
        self.issuedTokens = issuedTokens
        self.isAccessTokenRecognized = isAccessTokenRecognized
    }
}

extension EmbeddedBackend {
    /// A session as stored by the server.
    package struct SessionInfo: Sendable, Equatable {
        package var id: String
        package var userID: String
        package var email: String?
        package var isEmailVerified: Bool
        package var createdAt: Date
        package var refreshedAt: Date?
        package var revokedAt: Date?
        /// Display text: `signed out`, `refresh token reused` …
        package var revocationReason: String?
        /// How many refresh tokens were issued, from 1; 0 for a session without one.
        package var generation: Int

        init(_ session: BackendSession, _ account: Account) {
            id = session.id
            userID = account.id
            email = account.email
            isEmailVerified = account.emailVerifiedAt != nil
            createdAt = session.createdAt.date
            refreshedAt = session.refreshedAt?.date
            revokedAt = session.revokedAt?.date
            revocationReason = session.revocationReason
            generation = session.generation
        }
    }

    /// An account as stored by the server.
    package struct SessionAccount: Sendable, Equatable {
        package var id: String
        package var email: String?
        package var emailVerifiedAt: Date?
        package var disabledAt: Date?
        package var lockedUntil: Date?
        package var createdAt: Date

        init(_ account: Account) {
            id = account.id
            email = account.email
            emailVerifiedAt = account.emailVerifiedAt?.date
            disabledAt = account.disabledAt?.date
            lockedUntil = account.lockedUntil?.date
            createdAt = account.createdAt.date
        }
    }

    /// An issued refresh token, identified by its generation in the family.
    package struct RefreshTokenInfo: Sendable, Equatable {
        package var generation: Int
        package var issuedAt: Date
        /// When it was exchanged for the next one, or retired by that exchange.
        package var usedAt: Date?
        /// When it was last presented after its use.
        package var reusedAt: Date?
    }
}
