import Core
import Crypto
package import SQLite
import Web

/// A second factor of an account.
package struct Factor: Sendable, Equatable {
    /// A UUID, lowercase.
    package let id: String
    package let kind: Kind
    /// Chosen by the user; may be empty.
    package var name: String
    /// E.164; nil except for a phone.
    package var phone: String?
    /// The sealed TOTP secret; nil except for TOTP.
    package let sealedSecret: String?
    /// The time step of the last accepted TOTP code, where a code works once (RFC 6238, 5.2).
    package var lastStep: Int64?
    /// When a code was last asked for, where a contract records it.
    package private(set) var lastChallengedAt: Timestamp?
    package let createdAt: Timestamp
    package var updatedAt: Timestamp
    /// Nil while its enrollment is not complete.
    package var verifiedAt: Timestamp?

    /// How its codes are made.
    package enum Kind: String, Sendable, CaseIterable { case totp, phone }

    package init(
        id: String, kind: Kind, name: String, phone: String? = nil, sealedSecret: String? = nil,
        createdAt: Timestamp, verifiedAt: Timestamp? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.phone = phone
        self.sealedSecret = sealedSecret
        self.createdAt = createdAt
        updatedAt = createdAt
        self.verifiedAt = verifiedAt
    }

    /// A SELECT of an account's factors as a JSON array, oldest first.
    static let list: StaticSQL = """
        (SELECT json_group_array(json(item)) FROM (
            SELECT json_array(id, kind, name, phone, sealed, last_step, created_at, updated_at,
                verified_at, last_challenged_at) AS item
            FROM factors WHERE account = accounts.id ORDER BY created_at, id))
        """

    /// An element of `list`.
    init?(_ json: JSON) {
        guard let id = json[0]?.string, let kind = json[1]?.string.flatMap(Kind.init),
            let name = json[2]?.string, let createdAt = json.timestamp(at: 6),
            let updatedAt = json.timestamp(at: 7)
        else { return nil }
        self.init(
            id: id, kind: kind, name: name, phone: json[3]?.string, sealedSecret: json[4]?.string,
            createdAt: createdAt, verifiedAt: json.timestamp(at: 8))
        lastStep = json[5]?.int
        lastChallengedAt = json.timestamp(at: 9)
        self.updatedAt = updatedAt
    }
}

/// How a contract stores the keys of authenticator apps, as sealed text.
package enum AuthenticatorKeyFormat: Sendable {
    case base32, hex

    func text(_ key: [UInt8]) -> String {
        switch self {
        case .base32: Base32.encode(key)
        case .hex: Hex.encode(key)
        }
    }

    func key(_ text: String) -> [UInt8]? {
        switch self {
        case .base32: Base32.decode(text)
        case .hex: Hex.decode(text)
        }
    }
}

/// Factor queries for use inside a write.
extension Connection {
    package func add(_ factor: Factor, to account: Account) throws {
        try run(
            "INSERT INTO factors VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            [.text(factor.id), .text(account.id)] + account.realm.sqlValues + [
                .text(factor.kind.rawValue), .text(factor.name), .text(factor.phone),
                .text(factor.sealedSecret), factor.lastStep.map(Value.integer) ?? .null,
                factor.createdAt.sqlValue, factor.updatedAt.sqlValue,
                .timestamp(factor.verifiedAt),
            ])
    }

    /// Saves what can change of a factor: name, number, last step, times.
    package func save(_ factor: Factor) throws {
        try run(
            """
            UPDATE factors SET name = ?, phone = ?, last_step = ?, updated_at = ?, verified_at = ?
            WHERE id = ?
            """,
            [
                .text(factor.name), .text(factor.phone),
                factor.lastStep.map(Value.integer) ?? .null,
                factor.updatedAt.sqlValue, .timestamp(factor.verifiedAt), .text(factor.id),
            ])
    }

    /// Records that a code of the factor was asked for.
    package func recordChallenge(of factor: String, at now: Timestamp) throws {
        try run(
            "UPDATE factors SET last_challenged_at = ? WHERE id = ?",
            [now.sqlValue, .text(factor)])
    }

    package func remove(factor: String) throws {
        try run("DELETE FROM factors WHERE id = ?", [.text(factor)])
    }
}
