import SQLite

/// Digits somebody sent for a mailed code.
struct ClarityGuess: Sendable {
    /// What the code is found by, if it is right.
    let digest: String
    let purpose: Challenge.Purpose
    /// Normalised.
    let email: String
    let realm: Realm
    let ticket = Ticket.current

    /// Wrong ones that end a code.
    static let bound = 5
}

extension Connection {
    /// The code that was guessed, if it works; else the guess is counted, and
    /// one too many ends the code.
    func find(_ guess: ClarityGuess, at now: Moment) throws -> Challenge? {
        let found = try challenge(guess.digest, for: guess.purpose, in: guess.realm)
        if let found, found.state(at: now) == .fresh, guess.ticket?.befalls(.codeExpired) != true {
            return found
        }
        let most = try countGuess(at: guess.email, for: [guess.purpose], in: guess.realm, at: now)
        if most >= ClarityGuess.bound {
            try endCodes(of: guess.email, for: [guess.purpose], in: guess.realm, at: now)
        }
        return nil
    }
}
