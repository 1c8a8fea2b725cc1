import Core
import Web

/// The services shared by all contracts.
struct ContractContext: Sendable {
    let database: TracingDatabase
    let world: World
    let clocks: Clocks
    let hub: EventHub
    let hasher: TracingPasswordHasher
    let mailbox: Mailbox
    let switches: FeatureSwitchStore
    let rateLimits: RateLimits
    /// The backend's address without a trailing slash.
    let baseURL: String

    /// The time in `realm` by its workspace's clock, plus the clock skew fault of this exchange, if
    /// any.
    func now(in realm: Realm) -> Timestamp {
        Timestamp(clocks.now(in: realm.workspace)) + FaultTicket.clockSkew
    }

    /// The time in the workspace that a request's path names first, for responses made before the
    /// path is resolved.
    func now(for request: Request) -> Timestamp {
        let workspace = request.target.split(separator: "/").first ?? ""
        return Timestamp(clocks.now(in: String(workspace))) + FaultTicket.clockSkew
    }

    /// The base address for real clients of a contract with root paths.
    func rootURL(of realm: Realm) -> String {
        realm.workspace == BackendWorkspaces.mainID ? baseURL : baseURL(of: realm)
    }

    /// The base address for clients of `realm`.
    func baseURL(of realm: Realm) -> String { "\(baseURL)/\(realm.workspace)/\(realm.contract)" }
}
