import Backend
import SQLite

/// Look-ups, passwords and limits of the sign-in endpoints of all contracts.
extension Contract {
    /// The account with a normalized address; nil without one.
    func findAccount(email: String?) async throws -> Account? {
        try await database.read { connection in
            try email.flatMap { try connection.account(email: $0, in: realm) }
        }
    }

    /// The account with the id of a token's subject.
    func findAccount(_ id: String) async throws -> Account? {
        try await database.read { connection in try connection.account(id, in: realm) }
    }

    /// The account with a normalized address, and whether the password is right.
    ///
    /// Verifying takes equally long for an unknown address, so that timing reveals nothing.
    func authenticate(email: String?, password: String) async throws -> (
        account: Account?, isAccepted: Bool
    ) {
        let account = try await findAccount(email: email)
        return (account, try await services.hasher.verify(password, against: account?.passwordHash))
    }

    /// Authenticates within a limit on the failed attempts of `subject`; throws `failure` when it
    /// is reached. An account that `accepts` rejects counts as a failed attempt.
    func authenticate(
        email: String?, password: String, limit: RateLimit, of subject: String, failure: any Error,
        accepts: (Account) -> Bool = { _ in true }
    ) async throws -> (account: Account?, isAccepted: Bool) {
        func checkLimit() throws {
            let nextAllowedAt = services.rateLimits.nextAllowedAt(
                limit, of: subject, in: realm, at: now)
            if nextAllowedAt != nil { throw failure }
        }
        try checkLimit()
        let (account, matches) = try await authenticate(email: email, password: password)
        guard matches, let account, accepts(account) else {
            // Of many concurrent attempts only as many as the limit allows learn that the password
            // is wrong.
            try count(limit, of: subject, failure: failure)
            return (account, false)
        }
        // A correct password that arrives after the limit was reached is refused too.
        try checkLimit()
        return (account, true)
    }

    /// Counts an occurrence of `subject`; throws `failure` if the limit is reached.
    func count(_ limit: RateLimit, of subject: String, failure: any Error) throws {
        let nextAllowedAt = services.rateLimits.consume(limit, of: subject, in: realm, at: now)
        if nextAllowedAt != nil { throw failure }
    }
}

extension ContractAdministration {
    /// Why a server that counts UTF-16 code units rejects a password; nil if it accepts it.
    static func passwordError(_ password: String, minLength: Int) -> String? {
        if password.utf16.count < minLength {
            return minLength == 1
                ? "must not be empty" : "must have at least \(minLength) characters"
        }
        return password.utf8.count > JSONBody.passwordLimit
            ? "must have at most \(JSONBody.passwordLimit) bytes" : nil
    }
}
