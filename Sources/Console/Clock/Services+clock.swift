import Apps
import Core
import FoundationEssentials
import Simulator

extension Services {
    /// The workspace's time, by its own clock.
    func now(in workspace: String) -> Date { simulator.clocks.now(in: workspace) }

    /// What a moved clock does not affect: a sentence for each app that uses a real backend on a
    /// device of the workspace.
    func clockNotes(_ workspace: String) async throws -> [String] {
        try await simulator.chosenBackends(in: workspace).compactMap { chosen in
            guard let app = appCatalog.app(chosen.app),
                let backend = app.backends.first(where: { $0.id == chosen.backend }),
                case .url = backend.base
            else { return nil }
            return clockNote(of: app, backend.id)
        }
    }

    /// The sentence for one app and its real backend.
    func clockNote(of app: App, _ backend: String) -> String {
        """
        \(app.name) uses \(backend), a real backend, whose own clock did \
        not move: only this console applies this clock to its tokens.
        """
    }
}
