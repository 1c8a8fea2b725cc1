import Core
import SQLite
import Web

extension Simulator {
    /// Stores a check's result in the lists' rows and in the app's cached state, and publishes a
    /// changed session state.
    package func record(_ finding: SessionCheckResult, of session: Session) async throws {
        guard session.endedAt == nil, !finding.isRecorded(in: session) else { return }
        guard try await stateStore.record(finding, of: session.instance) else { return }
        let isRevoked = finding.isRevoked == true
        runner.publish(
            session.instance, .sessionChanged,
            isRevoked ? "The server ended the session" : "The session is active on the server",
            subject: session.id, details: ["kind": isRevoked ? "endedByServer" : "openOnServer"])
        stateStore.sessionIndex.scheduleUpdate()
    }
}

/// The result of comparing an active session's device, token and server.
package struct SessionCheckResult: Sendable, Equatable {
    package var session: String
    package var workspace: String
    /// Number of discrepancies.
    package var discrepancyCount: Int
    /// Whether the server no longer accepts the session; nil if unknown.
    package var isRevoked: Bool?

    package init(of session: Session, discrepancyCount: Int, isRevoked: Bool?) {
        self.session = session.id
        workspace = session.workspace
        self.discrepancyCount = discrepancyCount
        self.isRevoked = isRevoked
    }

    /// Whether `session` already has this result.
    package func isRecorded(in session: Session) -> Bool {
        session.discrepancyCount == discrepancyCount
            && isRevoked.map { $0 == (session.state == .revoked) } ?? true
    }
}
