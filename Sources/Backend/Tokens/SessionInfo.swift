package import FoundationEssentials

extension EmbeddedBackend {
    /// What the server knows of a session.
    package struct SessionInfo: Sendable, Equatable {
        package var id: String
        package var userID: String
        package var email: String?
        package var isEmailVerified: Bool
        package var createdAt: Date
        package var refreshedAt: Date?
        package var revokedAt: Date?
        /// For a person: `signed out`, `refresh token reused` …
        package var revocationReason: String?
        /// How often its refresh token was handed out, from 1; 0 for a
        /// session without one.
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

    /// What the server knows of a person.
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

    /// A refresh token the server handed out, by its place in the family.
    package struct RefreshTokenInfo: Sendable, Equatable {
        package var generation: Int
        package var issuedAt: Date
        /// When it was exchanged for the next one, or retired by it.
        package var usedAt: Date?
        /// When it came again after that, last.
        package var reusedAt: Date?
    }
}
