import Core
import Crypto
import SQLite
import Synchronization

/// The keys a contract signs with: made at first start, sealed, kept.
///
/// An RSA key takes some tenths of a second to make. It comes after the
/// others, so that nothing waits for it at the start; whoever needs it awaits
/// `whole`.
final class Keyring: Sendable {
    let contract: String
    private let database: Database
    private let sealer: Sealer
    let world: World
    private let state: Mutex<State>

    /// What a key is for; the raw value is how the database names it.
    enum Role: String, Sendable, CaseIterable {
        /// Access tokens of people, published as JWKS.
        case access
        /// Tokens of devices, with a secret only the backend knows.
        case device
        /// Digests of one-time codes; signs nothing that leaves the house.
        case code
        /// The keys by which a project's clients are known.
        case project
    }

    private struct State {
        private(set) var signingKeys: [Role: SigningKey]
        private(set) var keySet: KeySet
        var missingKeys: [MissingKey] = []
        /// Makes what is missing; nil before it began and after it failed.
        var generationTask: Task<Void, any Error>?

        init(_ signing: [Role: SigningKey]) throws {
            self.signingKeys = signing
            keySet = try Self.makeKeySet(signing)
        }

        mutating func add(_ key: SigningKey, _ role: Role) throws {
            signingKeys[role] = key
            missingKeys.removeAll { $0.role == role }
            keySet = try Self.makeKeySet(signingKeys)
        }

        /// A token is never signed with the key of codes.
        private static func makeKeySet(_ signing: [Role: SigningKey]) throws -> KeySet {
            try KeySet(Role.allCases.filter { $0 != .code }.compactMap { signing[$0] })
        }
    }

    private struct MissingKey {
        let role: Role
        let algorithm: SigningKey.Algorithm
        let keyID: String
    }

    /// The keys of `contract` that are `kept`; those of `missing` are made,
    /// or begun to be.
    private init(
        contract: String, storedKeys: [Role: SigningKey], missing: [MissingKey], database: Database,
        sealer: Sealer, world: World
    ) async throws {
        self.contract = contract
        self.database = database
        self.sealer = sealer
        self.world = world
        state = Mutex(try State(storedKeys))
        for key in missing {
            if key.algorithm == .rs256 {
                state.withLock { $0.missingKeys.append(key) }
            } else {
                try await generate(key)
            }
        }
        _ = ensureGenerationTask()
    }

    /// The keyrings of `blueprints`, in their order. What is missing is named
    /// in that order too, and made side by side: what a first start writes
    /// shares its commits.
    ///
    /// Throws `SecretsError.wrongKey` if they were sealed with another key.
    static func loadAll(
        of blueprints: [Contract.Blueprint], database: Database, sealer: Sealer, world: World
    ) async throws -> [Keyring] {
        let kept = try await loadSigningKeys(database, sealer)
        return try await withThrowingTaskGroup(of: (Int, Keyring).self) { group in
            for (place, blueprint) in blueprints.enumerated() {
                let mine = kept[blueprint.id] ?? [:]
                let missing: [MissingKey] = Role.allCases.compactMap { role in
                    guard mine[role] == nil, let algorithm = blueprint.keyAlgorithms[role] else {
                        return nil
                    }
                    return MissingKey(role: role, algorithm: algorithm, keyID: world.makeID("key"))
                }
                group.addTask {
                    let keyring = try await Keyring(
                        contract: blueprint.id, storedKeys: mine, missing: missing,
                        database: database,
                        sealer: sealer, world: world)
                    return (place, keyring)
                }
            }
            var keyrings: [Int: Keyring] = [:]
            for try await (place, keyring) in group { keyrings[place] = keyring }
            return blueprints.indices.compactMap { keyrings[$0] }
        }
    }

    /// Waits until no key is missing; throws why one could not be made, and
    /// tries again when asked again.
    func waitUntilComplete() async throws { try await ensureGenerationTask()?.value }

    /// Who makes the missing keys; nil if none is.
    private func ensureGenerationTask() -> Task<Void, any Error>? {
        state.withLock { state in
            guard !state.missingKeys.isEmpty else { return nil }
            if let making = state.generationTask { return making }
            let missing = state.missingKeys
            let making = Task.detached { [self] in
                defer { self.state.withLock { $0.generationTask = nil } }
                for key in missing { try await generate(key) }
            }
            state.generationTask = making
            return making
        }
    }

    /// RSA's primes take some tenths of a second.
    private static let generationQueue = BackgroundQueue("keys")

    /// Makes a key; nobody sees it before it is kept.
    private func generate(_ missing: MissingKey) async throws {
        let key = try await Self.generationQueue.run {
            try SigningKey.generate(missing.algorithm, keyID: missing.keyID)
        }
        let sealed = try sealer.seal(try key.privateJWK())
        let now = Timestamp(world.now())
        try await database.write { [contract] connection in
            try connection.run(
                "INSERT INTO signing_keys VALUES (?, ?, ?, ?, ?)",
                [
                    .text(key.keyID), .text(contract), .text(missing.role.rawValue), .text(sealed),
                    now.sqlValue,
                ])
        }
        try state.withLock { state in try state.add(key, missing.role) }
    }

    /// What is kept, by contract.
    private static func loadSigningKeys(_ database: Database, _ sealer: Sealer) async throws
        -> [String: [Role:
        SigningKey]]
    {
        let rows = try await database.read { connection in
            try connection.rows("SELECT contract, role, sealed FROM signing_keys", []) {
                ($0.text(0), $0.text(1), $0.text(2))
            }
        }
        var signing: [String: [Role: SigningKey]] = [:]
        for (contract, name, sealed) in rows {
            guard let role = Role(rawValue: name) else { continue }
            signing[contract, default: [:]][role] = try SigningKey(privateJWK: sealer.open(sealed))
        }
        return signing
    }

    /// The verifying halves of all of them.
    var keySet: KeySet { state.withLock(\.keySet) }

    /// The key of a role the contract has; one that takes long is there once
    /// the ring is `whole`.
    func key(_ role: Role) -> SigningKey {
        guard let key = state.withLock({ $0.signingKeys[role] }) else {
            preconditionFailure("\(contract) signs nothing for \(role)")
        }
        return key
    }

    /// A digest nobody can make, or try out, without the key of codes.
    func digest(_ text: String) throws -> String {
        // An HS256 signature is an HMAC of what it signs.
        Digest.sha256(try key(.code).sign(claims: text))
    }

    /// The key with this id, if it is one of ours.
    func key(id: String?) -> SigningKey? {
        state.withLock { $0.signingKeys.values.first { $0.keyID == id } }
    }
}
