/// What a look at device, token and server found of a session under way.
package struct SessionCheckResult: Sendable, Equatable {
    package var session: String
    package var workspace: String
    /// In how many things they disagree.
    package var discrepancyCount: Int
    /// Whether its server is known to go on with it no more; nil where
    /// nobody can tell.
    package var isRevoked: Bool?

    package init(of session: Session, discrepancyCount: Int, isRevoked: Bool?) {
        self.session = session.id
        workspace = session.workspace
        self.discrepancyCount = discrepancyCount
        self.isRevoked = isRevoked
    }

    /// Whether `session` tells this already.
    package func isRecorded(in session: Session) -> Bool {
        session.discrepancyCount == discrepancyCount
            && isRevoked.map { $0 == (session.state == .revoked) } ?? true
    }
}
