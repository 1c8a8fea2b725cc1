/// What a mailed link does, or did, for its account.
enum LinkState: Sendable, Equatable {
    case valid
    /// It did what it was for, just now.
    case completed
    /// The address was verified before, by this link or another.
    case alreadyVerified
    case used
    case replaced
    case expired
    /// No such link was ever sent, or its account is gone.
    case unknown

    init(_ challenge: Challenge, _ account: Account, at now: Timestamp) {
        if challenge.purpose == .verify, account.emailVerifiedAt != nil {
            self = .alreadyVerified
            return
        }
        self.init(challenge, at: now)
    }

    /// Of the link alone, whatever became of its account.
    init(_ challenge: Challenge, at now: Timestamp) {
        switch challenge.state(at: now) {
        case .valid: self = .valid
        case .used: self = .used
        case .replaced: self = .replaced
        case .expired: self = .expired
        }
    }
}
