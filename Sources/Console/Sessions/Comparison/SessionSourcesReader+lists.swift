import Backend
import Core
import FoundationEssentials
import Simulator
import Web

/// What is found of sessions and kept of them, for lists.
extension SessionSourcesReader {
    /// Notes what is found of the sessions whose accounts had one ended at the
    /// embedded backend, or were changed there, by whatever hand.
    func processEndedSessions(in workspace: String) async throws {
        while let ends = try await services.backend.accountsWithEndedSessions(in: workspace) {
            for account in ends.accounts {
                for session in try await openSessions(by: account, workspace) {
                    try await recordFinding(session)
                }
            }
            try await services.backend.clearEndedSessions(in: workspace, upTo: ends.upTo)
        }
    }

    /// Keeps what is found of a session now.
    func recordFinding(_ session: Session) async throws {
        try await services.simulator.record(try await sources(of: session).finding, of: session)
    }

    private func openSessions(by account: String, _ workspace: String) async throws -> [Session] {
        var query = SessionQuery(workspace: workspace)
        query.text = account
        query.limit = 500
        var held: [Session] = []
        // All of them: those still open may be older than many that ended.
        while true {
            let page = try await services.simulator.sessions(query)
            held += page.items.map(\.session).filter { $0.endedAt == nil }
            guard page.hasOlder, let last = page.items.last else { return held }
            query.before = last.sequence
        }
    }
}

extension SessionSources {
    /// What lists keep of it.
    var finding: SessionCheckResult {
        SessionCheckResult(
            of: session, discrepancyCount: SessionComparison(sources: self).discrepancyCount,
            isRevoked: isRevoked)
    }
}
