import Backend
import Simulator
import Surroundings
import Traffic

extension Services {
    /// Leaves a workspace as a new one is: without devices, accounts, mail,
    /// traffic, conditions, and at the real time.
    func empty(workspace: String) async throws {
        try await simulator.reset(workspace: workspace)
        try await backend.reset(workspace: workspace)
        _ = try await exchanges.forget(workspace: workspace)
        try await conditions.forget(workspace: workspace)
        hub.publish(EventDraft(workspace: workspace, kind: .reset, title: "Workspace emptied"))
    }
}
