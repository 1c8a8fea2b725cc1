package import Backend
package import Core
package import Simulator
package import Traffic

/// What a kill in the middle of making or ending a lease left behind.
///
/// The lease is the phones' row, and each room has a database of its own: the
/// other rooms follow it when the process starts.
package enum StartupRecovery {
    /// Forgets everything of workspaces that are gone, and opens those that
    /// the backend never heard of; called before anybody can ask.
    package static func recover(
        _ simulator: Simulator, _ backend: EmbeddedBackend, _ exchanges: ExchangeStore,
        _ faults: FaultStore, _ hub: EventHub
    ) async throws {
        let served = try await backend.referencedWorkspaceIDs()
        let mentioned = served.union(try await exchanges.workspaces()).union(
            faults.workspaces()
        ).union(hub.lastIDs().keys)
        for id in mentioned where !simulator.hasWorkspace(id) {
            try await backend.delete(workspace: id)
            try await faults.clear(workspace: id)
            _ = try await exchanges.clear(workspace: id)
            hub.remove(workspace: id)
        }
        let leases = try await simulator.leasedWorkspaces().map(\.id)
        for id in leases where !served.contains(id) { try await backend.create(workspace: id) }
    }
}
