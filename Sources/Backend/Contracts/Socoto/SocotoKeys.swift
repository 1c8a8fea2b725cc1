import Secrets
import Web

/// The keys a project's clients are configured with: tokens of a role each,
/// signed with the project's own secret, which was made at first start.
struct SocotoKeys: Sendable {
    let anon: String
    let service: String

    /// What a request may do; the raw value is the token's word.
    enum Role: String, Sendable {
        case anon
        case authenticated
        case service = "service_role"
    }

    init(_ keyring: Keyring) throws {
        anon = try Self.key(.anon, keyring)
        service = try Self.key(.service, keyring)
    }

    /// The role of a key of ours, nil for any other text.
    func role(of key: String) -> Role? {
        if Digest.constantTimeEquals(key, anon) { return .anon }
        if Digest.constantTimeEquals(key, service) { return .service }
        return nil
    }

    /// The same at every start, because nothing in it tells the time; it
    /// ends with the century, like no project.
    private static func key(_ role: Role, _ keyring: Keyring) throws -> String {
        let claims: JSON = [
            "iss": "foyer", "role": .string(role.rawValue),
            "exp": 4_102_444_800,
        ]
        return try keyring.key(.project).sign(claims: claims.description)
    }
}
