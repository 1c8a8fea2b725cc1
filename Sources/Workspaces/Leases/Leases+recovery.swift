import Backend
import Core
import Simulator
import Traffic

/// Recovery at start and the reset of a workspace, in all modules.
extension Leases {
    /// Deletes the data of workspaces that no longer exist, and creates those missing in the
    /// backend; called at start, before any request.
    ///
    /// A crash may interrupt the creation and the end of a lease. The lease is the simulator's row,
    /// and each module has its own database: the others are brought in line with it.
    package func recover() async throws {
        let backendIDs = try await backend.referencedWorkspaceIDs()
        let referencedIDs = backendIDs.union(try await exchanges.workspaces()).union(
            faults.workspaces()
        ).union(hub.lastIDs().keys)
        for id in referencedIDs where !simulator.hasWorkspace(id) {
            try await deleteData(id)
            hub.remove(workspace: id)
        }
        let leasedIDs = try await simulator.leasedWorkspaces().map(\.id)
        for id in leasedIDs where !backendIDs.contains(id) {
            try await backend.create(workspace: id)
        }
    }

    /// Resets a workspace to the state of a new one: no devices, accounts, mail, traffic or faults,
    /// and the system time.
    package func reset(workspace: String) async throws {
        try await simulator.reset(workspace: workspace)
        try await backend.reset(workspace: workspace)
        _ = try await exchanges.clear(workspace: workspace)
        try await faults.clear(workspace: workspace)
        hub.publish(
            EventDraft(workspace: workspace, kind: .workspaceReset, title: "Workspace reset"))
    }
}
