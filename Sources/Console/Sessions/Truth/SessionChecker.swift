import Backend
import Simulator
import Surroundings

/// Compares sessions with their servers after something about them changed,
/// and keeps what is found, so that lists tell what their pages tell.
///
/// Reading a list or a page finds nothing anew: it only waits until what
/// happened before was looked at.
final class SessionChecker: Sendable {
    private let services: Services
    private let reader: EvidenceReader

    init(services: Services, judge: SignatureJudge) {
        self.services = services
        reader = EvidenceReader(services: services, judge: judge)
    }

    /// Follows every change from now on, and those an earlier run of the
    /// process did not come to.
    func begin() {
        let checks = services.simulator.checks
        checks.begin { [weak self] workspace, batch in await self?.check(workspace, batch) }
        services.backend.observeEnds { checks.noteServer(in: $0) }
        Task { [services] in
            do {
                for workspace in try await services.backend.workspacesWithEnds() {
                    checks.noteServer(in: workspace)
                }
            } catch { services.world.log("sessions: \(type(of: error)) at the start") }
        }
    }

    private func check(_ workspace: String, _ batch: SessionChecks.Batch) async {
        if batch.isServerChanged {
            await logging(workspace) { try await self.reader.catchUp(in: workspace) }
        }
        for place in batch.places {
            await logging(workspace) { [services, reader] in
                guard let session = try await services.simulator.sessionUnderWay(place) else {
                    return
                }
                try await reader.note(session)
            }
        }
    }

    /// What fails is looked at again with the next change.
    private func logging(_ workspace: String, _ work: () async throws -> Void) async {
        do { try await work() } catch {
            // Of a workspace that is gone there is nothing to tell.
            guard services.simulator.hasWorkspace(workspace) else { return }
            services.world.log(
                "sessions: \(workspace) could not be compared with its "
                    + "server: \(type(of: error))")
        }
    }
}
