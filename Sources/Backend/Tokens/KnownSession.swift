package import FoundationEssentials

extension EmbeddedBackend {
    /// What the server knows of a session.
    package struct KnownSession: Sendable, Equatable {
        package var id: String
        package var userID: String
        package var email: String?
        package var emailVerified: Bool
        package var revokedAt: Date?
        /// For a person: `signed out`, `refresh token reused` …
        package var revokedBecause: String?
        /// How often its refresh token was handed out, from 1; 0 for a
        /// session without one.
        package var generation: Int

        init(_ session: Session, _ account: Account) {
            id = session.id
            userID = account.id
            email = account.email
            emailVerified = account.emailVerifiedAt != nil
            revokedAt = session.revokedAt?.date
            revokedBecause = session.revokedBecause
            generation = session.generation
        }
    }
}
