extension RefreshFamily {
    /// What ends with a session whose token was stolen.
    enum RevocationScope: Sendable {
        /// That session alone.
        case session
        /// Every session of its account.
        case account
    }

    /// How a token is written.
    enum TokenFormat: Sendable {
        /// `rt_` and base 64.
        case prefixed
        /// 64 hex digits.
        case hex
    }

    /// What came of presenting a refresh token.
    enum Outcome: Sendable {
        /// `token` is nil where a second use gives none.
        case rotated(BackendSession, Account, token: String?)
        case unknown
        case rejected(BackendSession, RejectionReason)
    }

    /// Why a token that was ours is worth nothing.
    enum RejectionReason: Sendable {
        /// Its session had ended before.
        case sessionEnded
        /// This was its second use, and ended its session.
        case reuseDetected
        /// It was too old.
        case expired
    }
}
