import Surroundings
import Web

/// What every contract works with.
struct Premises: Sendable {
    let database: TracedDatabase
    let world: World
    let clocks: Clocks
    let hub: EventHub
    let hasher: TracedHasher
    let mailbox: Mailbox
    let switches: Switches
    let limits: RateLimits
    /// The backend's own address without a slash at its end.
    let base: String

    /// The time in `realm`, by its workspace's clock, and by this exchange's
    /// where a condition set it apart.
    func now(in realm: Realm) -> Moment { Moment(clocks.now(in: realm.workspace)) + Ticket.skew }

    /// The time in the workspace a request names first in its path, for what
    /// is answered before it is known what is meant.
    func now(for request: Request) -> Moment {
        let workspace = request.target.split(separator: "/").first ?? ""
        return Moment(clocks.now(in: String(workspace))) + Ticket.skew
    }

    /// The address a real client of a contract with paths at the root begins
    /// every path with.
    func root(of realm: Realm) -> String {
        realm.workspace == Workspaces.first ? base : base(of: realm)
    }

    /// The address a client of `realm` begins every path with.
    func base(of realm: Realm) -> String { "\(base)/\(realm.workspace)/\(realm.contract)" }
}
