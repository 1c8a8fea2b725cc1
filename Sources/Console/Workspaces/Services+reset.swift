import Backend
import Core
import Simulator
import Traffic

extension Services {
    /// Resets a workspace to the state of a new one: no devices, accounts, mail, traffic or faults,
    /// and the system time.
    func reset(workspace: String) async throws {
        try await simulator.reset(workspace: workspace)
        try await backend.reset(workspace: workspace)
        _ = try await exchanges.clear(workspace: workspace)
        try await faults.clear(workspace: workspace)
        hub.publish(
            EventDraft(workspace: workspace, kind: .workspaceReset, title: "Workspace emptied"))
    }
}
