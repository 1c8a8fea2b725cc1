extension RefreshFamily {
    /// What a detected reuse revokes.
    enum RevocationScope: Sendable {
        /// Only the token's session.
        case session
        /// Every session of its account.
        case account
    }

    /// The text format of a token.
    enum TokenFormat: Sendable {
        /// `rt_` and base64url.
        case prefixed
        /// 64 hex digits.
        case hex
    }

    /// The result of presenting a refresh token.
    enum Outcome: Sendable {
        /// `token` is nil where a tolerated reuse issues none.
        case rotated(BackendSession, Account, token: String?)
        case unknown
        case rejected(BackendSession, RejectionReason)
    }

    /// Why a known token was rejected.
    enum RejectionReason: Sendable {
        /// Its session had already ended.
        case sessionEnded
        /// This second use ended its session.
        case reuseDetected
        /// It was older than the idle lifetime.
        case expired
    }
}
