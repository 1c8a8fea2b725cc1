import Secrets
import Synchronization
import Web

/// The keys the clients of a project are configured with: tokens of a role
/// each, signed with the contract's own secret, which was made at first
/// start. Every workspace is a project of its own.
final class SocotoKeys: Sendable {
    private let keyring: Keyring
    private let made = Mutex<[String: Pair]>([:])

    /// The keys of one workspace.
    struct Pair: Sendable {
        let anon: String
        let service: String
    }

    /// Workspaces whose keys are kept; of more all are made anew.
    private static let bound = 1_024

    /// What a request may do; the raw value is the token's word.
    enum Role: String, Sendable {
        case anon
        case authenticated
        case service = "service_role"
    }

    init(_ keyring: Keyring) { self.keyring = keyring }

    /// The same at every start, because nothing in them tells the time.
    func pair(of realm: Realm) throws -> Pair {
        let workspace = realm.workspace
        if let pair = made.withLock({ $0[workspace] }) { return pair }
        let pair = Pair(anon: try key(.anon, workspace), service: try key(.service, workspace))
        made.withLock { made in
            if made.count >= Self.bound { made = [:] }
            made[workspace] = pair
        }
        return pair
    }

    /// The role of a key of the realm's, nil for any other text.
    func role(of key: String, in realm: Realm) throws -> Role? {
        let pair = try pair(of: realm)
        if Digest.constantTimeEquals(key, pair.anon) { return .anon }
        if Digest.constantTimeEquals(key, pair.service) { return .service }
        return nil
    }

    /// It names its project, as at the real one, but for the first workspace,
    /// whose keys named none before; it ends with the century, like no
    /// project.
    private func key(_ role: Role, _ workspace: String) throws -> String {
        var claims: [JSON.Member] = [.init("iss", "foyer")]
        if workspace != Workspaces.first { claims.append(.init("ref", .string(workspace))) }
        claims += [.init("role", .string(role.rawValue)), .init("exp", 4_102_444_800)]
        return try keyring.key(.project).sign(claims: JSON.object(claims).description)
    }
}
