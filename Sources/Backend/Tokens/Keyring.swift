import SQLite
import Secrets
import Surroundings

/// The keys a contract signs with: made at first start, sealed, kept.
struct Keyring: Sendable {
    let contract: String
    private let signing: [Role: SigningKey]
    /// The verifying halves of all of them.
    let keys: KeySet

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

    /// Reads the keys of `contract`, and makes those of `roles` that are
    /// missing.
    ///
    /// Throws `SecretsError.wrongKey` if they were sealed with another key.
    init(
        contract: String, roles: [Role: SigningKey.Algorithm],
        database: Database, sealer: Sealer, world: World
    ) async throws {
        var signing = try await Self.read(contract, database, sealer)
        for role in Role.allCases where signing[role] == nil {
            guard let algorithm = roles[role] else { continue }
            let key = try SigningKey.generate(
                algorithm, keyID: world.identifier("key"))
            let sealed = try sealer.seal(try key.privateJWK())
            let now = Moment(world.now())
            try await database.write { connection in
                try connection.run(
                    "INSERT INTO signing_keys VALUES (?, ?, ?, ?, ?)",
                    [
                        .text(key.keyID), .text(contract),
                        .text(role.rawValue), .text(sealed), now.value,
                    ])
            }
            signing[role] = key
        }
        self.contract = contract
        self.signing = signing
        // A token is never signed with the key of codes.
        keys = try KeySet(
            Role.allCases.filter { $0 != .code }.compactMap { signing[$0] })
    }

    private static func read(
        _ contract: String, _ database: Database, _ sealer: Sealer
    ) async throws -> [Role: SigningKey] {
        let rows = try await database.read { connection in
            try connection.rows(
                "SELECT role, sealed FROM signing_keys WHERE contract = ?",
                [.text(contract)]
            ) { ($0.text(0), $0.text(1)) }
        }
        var signing: [Role: SigningKey] = [:]
        for (name, sealed) in rows {
            guard let role = Role(rawValue: name) else { continue }
            signing[role] = try SigningKey(privateJWK: sealer.open(sealed))
        }
        return signing
    }

    func key(_ role: Role) -> SigningKey {
        guard let key = signing[role] else {
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
        signing.values.first { $0.keyID == id }
    }
}
