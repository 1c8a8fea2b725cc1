package import Backend
package import Core
package import Simulator
package import Traffic

/// Recovery at start for leases interrupted by a crash.
///
/// The lease is the simulator's row, and each module has its own database: the others are brought
/// in line with it when the process starts.
package enum StartupRecovery {
    /// Deletes the data of workspaces that no longer exist, and creates those missing in the
    /// backend; called before any request.
    package static func recover(
        _ simulator: Simulator, _ backend: EmbeddedBackend, _ exchanges: ExchangeStore,
        _ faults: FaultStore, _ hub: EventHub
    ) async throws {
        let backendIDs = try await backend.referencedWorkspaceIDs()
        let referencedIDs = backendIDs.union(try await exchanges.workspaces()).union(
            faults.workspaces()
        ).union(hub.lastIDs().keys)
        for id in referencedIDs where !simulator.hasWorkspace(id) {
            try await backend.delete(workspace: id)
            try await faults.clear(workspace: id)
            _ = try await exchanges.clear(workspace: id)
            hub.remove(workspace: id)
        }
        let leasedIDs = try await simulator.leasedWorkspaces().map(\.id)
        for id in leasedIDs where !backendIDs.contains(id) {
            try await backend.create(workspace: id)
        }
    }
}
