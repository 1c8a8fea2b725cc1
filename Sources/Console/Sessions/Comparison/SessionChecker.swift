import Backend
import Core
import Simulator

/// Compares sessions with their servers after changes and stores the results for the lists.
///
/// Reading a list or a page starts no comparison: it only waits until pending ones are done.
final class SessionChecker: Sendable {
    private let services: Services
    private let reader: SessionSourcesReader

    init(services: Services, judge signatureVerifier: SignatureVerifier) {
        self.services = services
        reader = SessionSourcesReader(services: services, signatureVerifier: signatureVerifier)
    }

    /// Follows all changes from now on, and those that an earlier run of the process did not check.
    func start() {
        let checks = services.simulator.sessionChecks
        checks.start { [weak self] workspace, batch in await self?.check(workspace, batch) }
        services.backend.observeEndedSessions { checks.enqueueServerChange(in: $0) }
        Task { [services] in
            do {
                for workspace in try await services.backend.workspacesWithEndedSessions() {
                    checks.enqueueServerChange(in: workspace)
                }
            } catch { services.world.log("sessions: check at start failed: \(type(of: error))") }
        }
    }

    private func check(_ workspace: String, _ batch: SessionCheckQueue.Batch) async {
        if batch.hasServerChanged {
            await logErrors(workspace) { try await self.reader.processEndedSessions(in: workspace) }
        }
        for instance in batch.instances {
            await logErrors(workspace) { [services, reader] in
                guard let session = try await services.simulator.currentSession(instance) else {
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
            guard services.simulator.hasWorkspace(workspace) else { return }
            services.world.log(
                "sessions: comparing \(workspace) with its server failed: "
                    + "\(type(of: error))")
        }
    }
}
