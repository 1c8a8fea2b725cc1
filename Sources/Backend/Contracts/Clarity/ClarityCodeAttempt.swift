import SQLite

/// Digits somebody sent for a mailed code.
struct ClarityCodeAttempt: Sendable {
    /// What the code is found by, if it is right.
    let digest: String
    let purpose: Challenge.Purpose
    /// Normalised.
    let email: String
    let realm: Realm
    let faultTicket = FaultTicket.current

    /// Wrong ones that end a code.
    static let maxAttempts = 5
}

extension Connection {
    /// The code that was guessed, if it works; else the guess is counted, and
    /// one too many ends the code.
    func findChallenge(for attempt: ClarityCodeAttempt, at now: Timestamp) throws -> Challenge? {
        let found = try challenge(attempt.digest, for: attempt.purpose, in: attempt.realm)
        if let found, found.state(at: now) == .valid,
            attempt.faultTicket?.triggers(.codeExpired) != true
        {
            return found
        }
        let most = try countFailedAttempt(
            at: attempt.email, for: [attempt.purpose], in: attempt.realm, at: now)
        if most >= ClarityCodeAttempt.maxAttempts {
            try invalidateCodes(
                of: attempt.email, for: [attempt.purpose], in: attempt.realm, at: now)
        }
        return nil
    }
}
