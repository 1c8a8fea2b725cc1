extension Trail {
    /// Notes whether the session a token belongs to still lives.
    static func note(session: Session?) {
        guard let session else {
            note(.session, false, "there is no such session")
            return
        }
        let because = session.revokedBecause ?? "revoked"
        note(
            .session, session.revokedAt == nil,
            session.revokedAt == nil ? session.id : "it ended: \(because)")
    }
}
