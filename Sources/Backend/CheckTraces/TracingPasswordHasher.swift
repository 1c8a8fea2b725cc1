import Crypto

/// Password hashing as used by contracts; records the result.
package struct TracingPasswordHasher: Sendable {
    let hasher: PasswordHasher

    package func hash(_ password: String) async throws -> String { try await hasher.hash(password) }

    /// False without a hash, in the same time.
    package func verify(_ password: String, against hash: String?) async throws -> Bool {
        let matches = try await hasher.verify(password, against: hash)
        if hash == nil {
            CheckTrace.record(.password, false, "account has no password")
        } else {
            CheckTrace.record(.password, matches, matches ? "matches" : "wrong password")
        }
        return matches
    }
}
