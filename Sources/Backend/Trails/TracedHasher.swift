import Secrets

/// Password hashing as contracts use it; what comes out is noted.
struct TracedHasher: Sendable {
    let plain: PasswordHasher

    func hash(_ password: String) async throws -> String { try await plain.hash(password) }

    /// Costs the same without a hash, and is false then.
    func verify(_ password: String, against hash: String?) async throws -> Bool {
        let isRight = try await plain.verify(password, against: hash)
        if hash == nil {
            Trail.note(.password, false, "this account has none")
        } else {
            Trail.note(.password, isRight, isRight ? "it matches" : "wrong password")
        }
        return isRight
    }
}
