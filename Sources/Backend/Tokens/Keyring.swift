import Core
package import Crypto
import SQLite
import Synchronization

/// A contract's signing keys: generated at first start and stored sealed.
///
/// An RSA key takes some tenths of a second to generate. It is generated once the start is complete,
/// or by the first code that needs it: that awaits `waitUntilComplete()`.
package final class Keyring: Sendable {
    let contract: String
    private let database: Database
    private let sealer: Sealer
    let world: World
    private let state: Mutex<State>

    /// What a key is for; the raw value is stored in the database.
    package enum Role: String, Sendable, CaseIterable {
        /// Access tokens of users; its public key is published as JWKS.
        case access
        /// Device tokens, with a secret only the backend has.
        case device
        /// Digests of one-time codes; signs nothing that is sent out.
        case code
        /// A project's API keys, which identify its clients.
        case project
        /// ID tokens of embedded sign-in providers, which the contract itself does not accept.
        case provider

        /// Whether the contract accepts tokens that this key signed.
        fileprivate var signsTokensOfContract: Bool { self != .code && self != .provider }
    }

    private struct State {
        private(set) var signingKeys: [Role: SigningKey]
        private(set) var keySet: KeySet
        var missingKeys: [MissingKey] = []
        /// Generates the missing keys; nil before it starts and after it ends.
        var generationTask: Task<Void, any Error>?

        init(_ signingKeys: [Role: SigningKey]) throws {
            self.signingKeys = signingKeys
            keySet = try Self.makeKeySet(signingKeys)
        }

        mutating func add(_ key: SigningKey, _ role: Role) throws {
            signingKeys[role] = key
            missingKeys.removeAll { $0.role == role }
            keySet = try Self.makeKeySet(signingKeys)
        }

        private static func makeKeySet(_ signingKeys: [Role: SigningKey]) throws -> KeySet {
            try KeySet(Role.allCases.filter(\.signsTokensOfContract).compactMap { signingKeys[$0] })
        }
    }

    private struct MissingKey {
        let role: Role
        let algorithm: SigningKey.Algorithm
        let keyID: String
    }

    private init(
        contract: String, storedKeys: [Role: SigningKey], missingKeys: [MissingKey],
        database: Database, sealer: Sealer, world: World
    ) throws {
        self.contract = contract
        self.database = database
        self.sealer = sealer
        self.world = world
        var state = try State(storedKeys)
        state.missingKeys = missingKeys
        self.state = Mutex(state)
    }

    /// Loads the keyrings of contracts with these algorithms, in their order. Ids of missing keys
    /// are assigned in that order too; those that take little time are generated and stored
    /// together.
    ///
    /// Throws a `CryptoError` of kind `wrongKey` if the stored keys were sealed with another key.
    static func loadAll(
        of contracts: [(id: String, algorithms: [Role: SigningKey.Algorithm])], database: Database,
        sealer: Sealer, world: World
    ) async throws -> [Keyring] {
        let storedKeys = try await loadSigningKeys(database, sealer)
        var keyrings: [Keyring] = []
        var quickKeys: [(Keyring, MissingKey)] = []
        for contract in contracts {
            let contractKeys = storedKeys[contract.id] ?? [:]
            let missing: [MissingKey] = Role.allCases.compactMap { role in
                guard contractKeys[role] == nil, let algorithm = contract.algorithms[role] else {
                    return nil
                }
                return MissingKey(role: role, algorithm: algorithm, keyID: world.makeID("key"))
            }
            let keyring = try Keyring(
                contract: contract.id, storedKeys: contractKeys, missingKeys: missing,
                database: database, sealer: sealer, world: world)
            keyrings.append(keyring)
            quickKeys += missing.filter { $0.algorithm != .rs256 }.map { (keyring, $0) }
        }
        try await generate(quickKeys, database)
        return keyrings
    }

    /// Starts generating the missing keys in the background, if any.
    func startGeneration() { _ = ensureGenerationTask() }

    /// Waits until no key is missing. Throws the error if generation failed; the next call tries
    /// again.
    func waitUntilComplete() async throws { try await ensureGenerationTask()?.value }

    /// The task that generates the missing keys, started if needed; nil if none is missing.
    private func ensureGenerationTask() -> Task<Void, any Error>? {
        state.withLock { state in
            guard !state.missingKeys.isEmpty else { return nil }
            if let task = state.generationTask { return task }
            let missing = state.missingKeys
            let task = Task.detached { [self] in
                defer { self.state.withLock { $0.generationTask = nil } }
                try await Self.generate(missing.map { (self, $0) }, database)
            }
            state.generationTask = task
            return task
        }
    }

    /// RSA's primes take some tenths of a second.
    private static let generationQueue = BackgroundQueue("keys")

    /// Generates keys and stores them, in one transaction, before they are used.
    private static func generate(_ missing: [(Keyring, MissingKey)], _ database: Database)
        async throws
    {
        guard !missing.isEmpty else { return }
        let generated = try await generationQueue.run {
            try missing.map { keyring, missingKey in
                let key = try SigningKey.generate(missingKey.algorithm, keyID: missingKey.keyID)
                let sealed = try keyring.sealer.seal(try key.privateJWK())
                return (keyring, missingKey.role, key, sealed, Timestamp(keyring.world.now()))
            }
        }
        try await database.write { connection in
            for (keyring, role, key, sealed, now) in generated {
                try connection.run(
                    "INSERT INTO signing_keys VALUES (?, ?, ?, ?, ?)",
                    [
                        .text(key.keyID), .text(keyring.contract), .text(role.rawValue),
                        .text(sealed), now.sqlValue,
                    ])
            }
        }
        for (keyring, role, key, _, _) in generated {
            try keyring.state.withLock { state in try state.add(key, role) }
        }
    }

    /// All stored keys by contract.
    private static func loadSigningKeys(_ database: Database, _ sealer: Sealer) async throws
        -> [String: [Role: SigningKey]]
    {
        let rows = try await database.read { connection in
            try connection.rows("SELECT contract, role, sealed FROM signing_keys", []) {
                ($0.text(0), $0.text(1), $0.text(2))
            }
        }
        var signingKeys: [String: [Role: SigningKey]] = [:]
        for (contract, name, sealed) in rows {
            guard let role = Role(rawValue: name) else { continue }
            signingKeys[contract, default: [:]][role] = try SigningKey(
                privateJWK: sealer.open(sealed))
        }
        return signingKeys
    }

    /// The public keys of all token signing keys.
    package var keySet: KeySet { state.withLock(\.keySet) }

    /// The key of a role the contract has; an RSA key exists only after `waitUntilComplete()`.
    package func key(_ role: Role) -> SigningKey {
        guard let key = state.withLock({ $0.signingKeys[role] }) else {
            preconditionFailure("\(contract) signs nothing for \(role)")
        }
        return key
    }

    /// A keyed digest: without the `code` key it can be neither made nor guessed by trial.
    package func digest(_ text: String) throws -> String {
        // An HS256 signature is an HMAC of what it signs.
        Digest.sha256(try key(.code).sign(claims: text))
    }

    /// The key with this id, if it belongs to this keyring.
    func key(id: String?) -> SigningKey? {
        state.withLock { $0.signingKeys.values.first { $0.keyID == id } }
    }
}

extension Keyring {
    /// Verifies a token's signature with these keys, with a reason as display text.
    package func verifySignature(_ token: String) -> SignatureVerification {
        let owner = "the embedded backend's \(contract) contract"
        switch keySet.verify(token) {
        case .verified(let algorithm, let keyID):
            return SignatureVerification(
                status: .verified, algorithm: algorithm, keyID: keyID,
                reason: "Signed with a key of \(owner).")
        case .invalid(let algorithm, let keyID):
            return SignatureVerification(
                status: .invalid, algorithm: algorithm, keyID: keyID,
                reason: "Not signed with the key of \(owner) that it names: "
                    + "modified or forged.")
        case .unverified(let reason):
            return SignatureVerification(
                status: .unverified, reason: "No key of \(owner) can verify it: \(reason).")
        case .unsigned:
            return SignatureVerification(status: .unsigned, reason: "The algorithm is none.")
        case .opaque:
            return SignatureVerification(
                status: .opaque, reason: "Not a JWT: only the issuer can read it.")
        }
    }
}

/// The result of verifying a token's signature; expiry is checked elsewhere.
package struct SignatureVerification: Sendable, Equatable {
    package var status: Status
    /// The algorithm of the key used to verify, not the one named in the token.
    package var algorithm: String?
    package var keyID: String?
    /// Display text: where the key is from, or why there is none.
    package var reason: String

    package init(status: Status, algorithm: String? = nil, keyID: String? = nil, reason: String) {
        self.status = status
        self.algorithm = algorithm
        self.keyID = keyID
        self.reason = reason
    }

    /// The raw value is used in the API.
    package enum Status: String, Sendable, CaseIterable {
        case verified, unverified, invalid, unsigned, opaque
    }
}
