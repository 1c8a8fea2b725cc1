import SQLite

/// One attempt to redeem a mailed code.
struct ClarityCodeAttempt: Sendable {
    /// The digest of the entered digits, under which a correct code is stored.
    let digest: String
    let purpose: Challenge.Purpose
    /// Normalized.
    let email: String
    let realm: Realm
    let faultTicket = FaultTicket.current

    /// How many wrong attempts invalidate a code.
    static let maxAttempts = 5
}

extension Connection {
    /// The challenge whose code was entered, if it is valid. Otherwise counts the attempt and, at
    /// `maxAttempts`, invalidates the code.
    func findChallenge(for attempt: ClarityCodeAttempt, at now: Timestamp) throws -> Challenge? {
        let found = try challenge(attempt.digest, for: attempt.purpose, in: attempt.realm)
        if let found, found.state(at: now) == .valid,
            attempt.faultTicket?.triggers(.codeExpired) != true
        {
            return found
        }
        let failedAttempts = try countFailedAttempt(
            at: attempt.email, for: [attempt.purpose], in: attempt.realm, at: now)
        if failedAttempts >= ClarityCodeAttempt.maxAttempts {
            try invalidateCodes(
                of: attempt.email, for: [attempt.purpose], in: attempt.realm, at: now)
        }
        return nil
    }
}
