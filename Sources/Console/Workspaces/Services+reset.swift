import Backend
import Core
import Simulator
import Traffic

extension Services {
    /// Leaves a workspace as a new one is: without devices, accounts, mail,
    /// traffic, conditions, and at the real time.
    func reset(workspace: String) async throws {
        try await simulator.reset(workspace: workspace)
        try await backend.reset(workspace: workspace)
        _ = try await exchanges.clear(workspace: workspace)
        try await faults.clear(workspace: workspace)
        hub.publish(
            EventDraft(workspace: workspace, kind: .workspaceReset, title: "Workspace emptied"))
    }
}
