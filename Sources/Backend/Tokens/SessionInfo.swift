package import FoundationEssentials

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
