import Crypto
import Synchronization
import Web

/// The keys the clients of a project are configured with: tokens of a role
/// each, signed with the contract's own secret, which was made at first
/// start. Every workspace is a project of its own.
final class SocotoAPIKeys: Sendable {
    private let keyring: Keyring
    private let cache = Mutex<[String: ProjectKeys]>([:])

    /// The keys of one workspace.
    struct ProjectKeys: Sendable {
        let anon: String
        let service: String
    }

    /// Workspaces whose keys are kept; of more all are made anew.
    private static let maxCachedWorkspaces = 1_024

    /// What a request may do; the raw value is the token's word.
    enum Role: String, Sendable {
        case anon
        case authenticated
        case service = "service_role"
    }

    init(_ keyring: Keyring) { self.keyring = keyring }

    /// The same at every start, because nothing in them tells the time.
    func projectKeys(of realm: Realm) throws -> ProjectKeys {
        let workspace = realm.workspace
        if let pair = cache.withLock({ $0[workspace] }) { return pair }
        let pair = ProjectKeys(
            anon: try makeKey(.anon, workspace), service: try makeKey(.service, workspace))
        cache.withLock { made in
            if made.count >= Self.maxCachedWorkspaces { made = [:] }
            made[workspace] = pair
        }
        return pair
    }

    /// The role of a key of the realm's, nil for any other text.
    func role(of key: String, in realm: Realm) throws -> Role? {
        let pair = try projectKeys(of: realm)
        if Digest.constantTimeEquals(key, pair.anon) { return .anon }
        if Digest.constantTimeEquals(key, pair.service) { return .service }
        return nil
    }

    /// It names its project, as at the real one, but for the first workspace,
    /// whose keys named none before; it ends with the century, like no
    /// project.
    private func makeKey(_ role: Role, _ workspace: String) throws -> String {
        var claims: [JSON.Member] = [.init("iss", "foyer")]
        if workspace != BackendWorkspaces.mainID { claims.append(.init("ref", .string(workspace))) }
        claims += [.init("role", .string(role.rawValue)), .init("exp", 4_102_444_800)]
        return try keyring.key(.project).sign(claims: JSON.object(claims).description)
    }
}
