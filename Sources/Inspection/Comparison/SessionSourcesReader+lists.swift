import Backend
import Core
import FoundationEssentials
package import Simulator
import Web

/// Checks sessions and stores the results for lists.
extension SessionSourcesReader {
    /// Checks the open sessions of accounts that the embedded backend changed or ended a session
    /// of.
    func processEndedSessions(in workspace: String) async throws {
        while let ends = try await backend.accountsWithEndedSessions(in: workspace) {
            for account in ends.accounts {
                for session in try await openSessions(by: account, workspace) {
                    try await recordFinding(session)
                }
            }
            try await backend.clearEndedSessions(in: workspace, upTo: ends.upTo)
        }
    }

    /// Checks a session and stores the result.
    func recordFinding(_ session: Session) async throws {
        try await simulator.record(try await sources(of: session).finding, of: session)
    }

    private func openSessions(by account: String, _ workspace: String) async throws -> [Session] {
        var query = SessionQuery(workspace: workspace)
        query.text = account
        query.limit = 500
        var sessions: [Session] = []
        // Reads all pages: open sessions may be older than many ended ones.
        while true {
            let page = try await simulator.sessions(query)
            sessions += page.items.map(\.session).filter { $0.endedAt == nil }
            guard page.hasOlder, let last = page.items.last else { return sessions }
            query.before = last.sequence
        }
    }
}

extension SessionSources {
    /// The result that lists store.
    package var finding: SessionCheckResult {
        SessionCheckResult(
            of: session, discrepancyCount: SessionComparison(sources: self).discrepancyCount,
            isRevoked: isRevoked)
    }
}
