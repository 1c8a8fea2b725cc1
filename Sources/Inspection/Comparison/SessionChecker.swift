import Backend
package import Core
import Simulator

/// Compares sessions with their servers after changes and stores the results for the lists.
///
/// Reading a list or a page starts no comparison: it only waits until pending ones are done.
package final class SessionChecker: Sendable {
    private let reader: SessionSourcesReader
    private let world: World

    package init(reader: SessionSourcesReader, world: World) {
        self.reader = reader
        self.world = world
    }

    /// Follows all changes from now on, and those that an earlier run of the process did not check.
    package func start() {
        let checks = reader.simulator.sessionChecks
        checks.start { [weak self] workspace, batch in await self?.check(workspace, batch) }
        reader.backend.observeEndedSessions { checks.enqueueServerChange(in: $0) }
        Task { [backend = reader.backend, world] in
            do {
                for workspace in try await backend.workspacesWithEndedSessions() {
                    checks.enqueueServerChange(in: workspace)
                }
            } catch { world.log("sessions: check at start failed: \(type(of: error))") }
        }
    }

    private func check(_ workspace: String, _ batch: SessionCheckQueue.Batch) async {
        if batch.hasServerChanged {
            await logErrors(workspace) { try await self.reader.processEndedSessions(in: workspace) }
        }
        for instance in batch.instances {
            await logErrors(workspace) { [reader] in
                guard let session = try await reader.simulator.currentSession(instance) else {
                    return
                }
                try await reader.recordFinding(session)
            }
        }
    }

    /// Logs an error. The session is checked again with the next change.
    private func logErrors(_ workspace: String, _ work: () async throws -> Void) async {
        do { try await work() } catch {
            // A deleted workspace is no error.
            guard reader.simulator.hasWorkspace(workspace) else { return }
            world.log("sessions: comparing \(workspace) with its server failed: \(type(of: error))")
        }
    }
}
