import Backend
import Core
import Crypto
import Synchronization
import Web

/// The API keys that a project's clients are configured with: one signed token per role.
///
/// They are signed with the contract's own secret, which is created at first start. Every workspace
/// is a project.
final class SocotoAPIKeys: Sendable {
    private let keyring: Keyring
    private let cache = Mutex<[String: ProjectKeys]>([:])

    /// The keys of one workspace.
    struct ProjectKeys: Sendable {
        let anon: String
        let service: String
    }

    /// How many workspaces' keys are cached. Beyond that the cache is cleared.
    private static let maxCachedWorkspaces = 1_024

    /// The permissions of a request. The raw value is the token's `role` claim.
    enum Role: String, Sendable {
        case anon
        case authenticated
        case service = "service_role"
    }

    init(_ keyring: Keyring) { self.keyring = keyring }

    /// The same at every start, because the tokens contain no issue time.
    func projectKeys(of realm: Realm) throws -> ProjectKeys {
        let workspace = realm.workspace
        if let keys = cache.withLock({ $0[workspace] }) { return keys }
        let keys = ProjectKeys(
            anon: try makeKey(.anon, workspace), service: try makeKey(.service, workspace))
        cache.withLock { cached in
            if cached.count >= Self.maxCachedWorkspaces { cached = [:] }
            cached[workspace] = keys
        }
        return keys
    }

    /// The role of one of the realm's keys. Nil for any other text.
    func role(of key: String, in realm: Realm) throws -> Role? {
        let keys = try projectKeys(of: realm)
        if ConstantTime.areEqual(key, keys.anon) { return .anon }
        if ConstantTime.areEqual(key, keys.service) { return .service }
        return nil
    }

    /// The key names its project in `ref`, as real ones do, except for the first workspace, whose
    /// keys never had one. It expires in 2100, later than any project is used.
    private func makeKey(_ role: Role, _ workspace: String) throws -> String {
        let project = workspace == BackendWorkspaces.mainID ? nil : workspace
        let claims = JSON.omittingNil([
            "iss": "foyer", "ref": project.map(JSON.string), "role": .string(role.rawValue),
            "exp": 4_102_444_800,
        ])
        return try keyring.key(.project).sign(claims: claims.description)
    }
}
