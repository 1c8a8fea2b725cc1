import Crypto

/// Password hashing as contracts use it; what comes out is noted.
struct TracingPasswordHasher: Sendable {
    let hasher: PasswordHasher

    func hash(_ password: String) async throws -> String { try await hasher.hash(password) }

    /// Costs the same without a hash, and is false then.
    func verify(_ password: String, against hash: String?) async throws -> Bool {
        let isRight = try await hasher.verify(password, against: hash)
        if hash == nil {
            CheckTrace.record(.password, false, "this account has none")
        } else {
            CheckTrace.record(.password, isRight, isRight ? "it matches" : "wrong password")
        }
        return isRight
    }
}
