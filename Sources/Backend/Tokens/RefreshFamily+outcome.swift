extension RefreshFamily {
    /// What ends with a session whose token was stolen.
    enum Reach: Sendable {
        /// That session alone.
        case session
        /// Every session of its account.
        case account
    }

    /// How a token is written.
    enum Spelling: Sendable {
        /// `rt_` and base 64.
        case prefixed
        /// 64 hex digits.
        case hex
    }

    /// What came of presenting a refresh token.
    enum Outcome: Sendable {
        /// `token` is nil where a second use gives none.
        case rotated(Session, Account, token: String?)
        case unknown
        case ended(Session, Ending)
    }

    /// Why a token that was ours is worth nothing.
    enum Ending: Sendable {
        /// Its session had ended before.
        case before
        /// This was its second use, and ended its session.
        case reuse
        /// It was too old.
        case age
    }
}
