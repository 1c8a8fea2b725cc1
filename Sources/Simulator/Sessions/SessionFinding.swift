/// What a look at device, token and server found of a session under way.
package struct SessionFinding: Sendable, Equatable {
    package var session: String
    package var workspace: String
    /// In how many things they disagree.
    package var disagreements: Int
    /// Whether its server is known to go on with it no more; nil where
    /// nobody can tell.
    package var isRevoked: Bool?

    package init(of session: Session, disagreements: Int, isRevoked: Bool?) {
        self.session = session.id
        workspace = session.workspace
        self.disagreements = disagreements
        self.isRevoked = isRevoked
    }

    /// Whether `session` tells this already.
    package func isKnown(of session: Session) -> Bool {
        session.disagreements == disagreements
            && isRevoked.map { $0 == (session.state == .revoked) } ?? true
    }
}
