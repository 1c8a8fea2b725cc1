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
