package import Apps
package import Backend
import Core
package import Email
package import Simulator
import Web

/// Stores the mail that real backends send by SMTP in the mailboxes of workspaces.
package struct MailIntake: Sendable {
    private let simulator: Simulator
    private let backend: EmbeddedBackend
    private let catalog: AppCatalog

    package init(simulator: Simulator, backend: EmbeddedBackend, catalog: AppCatalog) {
        self.simulator = simulator
        self.backend = backend
        self.catalog = catalog
    }

    /// The destination that an SMTP user name selects; `main` for a name that is no workspace's.
    package func authorize(_ userName: String) -> SMTPConfiguration.Authorization {
        guard let destination = SMTPDestination(userName: userName) else { return .accepted(.main) }
        let (workspace, app) = (destination.workspace.prefix(40), destination.app)
        guard simulator.hasWorkspace(destination.workspace) else {
            return .rejected(
                reason: "No workspace \(workspace), or it has expired; use main or a leased one")
        }
        if let app, catalog.app(app) == nil {
            return .rejected(reason: "No app \(app.prefix(40)); use \(workspace), or /{app} of one")
        }
        return .accepted(destination)
    }

    package func deliver(_ delivery: SMTPDelivery) async -> SMTPDelivery.Outcome {
        let workspace = delivery.destination.workspace
        // The lease may have expired since the connection was opened.
        guard simulator.hasWorkspace(workspace) else {
            return .rejected(reason: "Workspace \(workspace) has expired")
        }
        let app = delivery.destination.app
        do {
            let ids = try await backend.mailbox.receive(
                delivery.message, from: delivery.sender, to: delivery.recipients,
                app: app.map { catalog.contract(ofApp: $0) ?? $0 }, workspace: workspace,
                at: simulator.clocks.now(in: workspace))
            return .stored(id: ids.joined(separator: " "))
        } catch {
            return simulator.hasWorkspace(workspace)
                ? .failed(reason: "The message could not be stored; see Foyer's output")
                : .rejected(reason: "Workspace \(workspace) has expired")
        }
    }
}
