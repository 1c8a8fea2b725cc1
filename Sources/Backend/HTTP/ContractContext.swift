import Core
import Web

/// What every contract works with.
struct ContractContext: Sendable {
    let database: TracingDatabase
    let world: World
    let clocks: Clocks
    let hub: EventHub
    let hasher: TracingPasswordHasher
    let mailbox: Mailbox
    let switches: FeatureSwitchStore
    let rateLimits: RateLimits
    /// The backend's own address without a slash at its end.
    let baseURL: String

    /// The time in `realm`, by its workspace's clock, and by this exchange's
    /// where a condition set it apart.
    func now(in realm: Realm) -> Timestamp {
        Timestamp(clocks.now(in: realm.workspace)) + FaultTicket.clockSkew
    }

    /// The time in the workspace a request names first in its path, for what
    /// is answered before it is known what is meant.
    func now(for request: Request) -> Timestamp {
        let workspace = request.target.split(separator: "/").first ?? ""
        return Timestamp(clocks.now(in: String(workspace))) + FaultTicket.clockSkew
    }

    /// The address a real client of a contract with paths at the root begins
    /// every path with.
    func rootURL(of realm: Realm) -> String {
        realm.workspace == BackendWorkspaces.mainID ? baseURL : baseURL(of: realm)
    }

    /// The address a client of `realm` begins every path with.
    func baseURL(of realm: Realm) -> String { "\(baseURL)/\(realm.workspace)/\(realm.contract)" }
}
