package import Backend
package import Simulator
package import Surroundings
package import Traffic

/// What a kill in the middle of making or ending a lease left behind.
///
/// The lease is the phones' row, and each room has a database of its own: the
/// other rooms follow it when the process starts.
package enum Remains {
    /// Forgets everything of workspaces that are gone, and opens those that
    /// the backend never heard of; called before anybody can ask.
    package static func settle(
        _ simulator: Simulator, _ backend: EmbeddedBackend, _ exchanges: ExchangeStore,
        _ conditions: Conditions, _ hub: EventHub
    ) async throws {
        let served = try await backend.mentionedWorkspaces()
        let mentioned = served.union(try await exchanges.workspaces()).union(
            conditions.workspaces()
        ).union(hub.workspaces().keys)
        for id in mentioned where !simulator.hasWorkspace(id) {
            try await backend.drop(workspace: id)
            try await conditions.forget(workspace: id)
            _ = try await exchanges.forget(workspace: id)
            hub.forget(workspace: id)
        }
        let leases = try await simulator.leases().map(\.id)
        for id in leases where !served.contains(id) { try await backend.open(workspace: id) }
    }
}
