import Core

/// Hashes passwords with yescrypt (`crypt(3)`) on its own queue.
///
/// At most two run at once and 256 wait; beyond that it throws `.busy`, so a flood of sign-ins
/// blocks neither pages nor the process.
package struct PasswordHasher: Sendable {
    private let cost: UInt
    private let queue: HashingQueue

    /// `cost` is yescrypt's, 1 … 11; 5 is Debian's default, tests use 1.
    package init(cost: Int) { self.init(cost: cost, queue: HashingQueue()) }

    init(cost: Int, queue: HashingQueue) {
        precondition((1...11).contains(cost), "yescrypt costs 1 … 11")
        self.cost = UInt(cost)
        self.queue = queue
    }

    /// The hash in the format of `crypt(5)`, with a new salt.
    ///
    /// Throws `.malformed` for a password with a NUL or of more than 511 bytes, of which `crypt`
    /// would process only a part.
    package func hash(_ password: String) async throws(CryptoError) -> String {
        guard Crypt.canHash(password) else {
            throw CryptoError(
                kind: .malformed, detail: "a password has at most 511 bytes and no NUL")
        }
        let cost = cost
        return try await queue.run { () throws(CryptoError) in
            try Crypt.hash(password, setting: Crypt.makeSetting(cost: cost))
        }
    }

    /// Whether `password` has the hash `hash`. With nil (an unknown user) it takes the same time
    /// and returns false, so that timing does not reveal which users exist.
    package func verify(_ password: String, against hash: String?) async throws(CryptoError) -> Bool
    {
        let cost = cost
        return try await queue.run { () throws(CryptoError) in
            guard let hash, Crypt.canHash(password) else {
                let setting = try Crypt.makeSetting(cost: cost)
                _ = try Crypt.hash("an unknown password", setting: setting)
                return false
            }
            let computed = try Crypt.hash(password, setting: hash)
            return ConstantTime.areEqual(computed, hash)
        }
    }
}
