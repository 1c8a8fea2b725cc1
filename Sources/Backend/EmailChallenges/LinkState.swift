/// The effect of a mailed link on its account, or why it has none.
package enum LinkState: Sendable, Equatable {
    case valid
    /// The link took effect just now.
    case completed
    /// The address was verified before, by this link or another.
    case alreadyVerified
    case used
    case replaced
    case expired
    /// Never sent, or its account no longer exists.
    case unknown

    package init(_ challenge: Challenge, _ account: Account, at now: Timestamp) {
        if challenge.purpose == .verify, account.emailVerifiedAt != nil {
            self = .alreadyVerified
            return
        }
        self.init(challenge, at: now)
    }

    /// The state of the link alone, without regard to its account.
    package init(_ challenge: Challenge, at now: Timestamp) {
        switch challenge.state(at: now) {
        case .valid: self = .valid
        case .used: self = .used
        case .replaced: self = .replaced
        case .expired: self = .expired
        }
    }
}
