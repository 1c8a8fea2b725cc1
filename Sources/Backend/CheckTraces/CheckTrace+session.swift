extension CheckTrace {
    /// Records whether a token's session is active.
    static func record(session: BackendSession?) {
        guard let session else {
            record(.session, false, "there is no such session")
            return
        }
        let reason = session.revocationReason ?? "revoked"
        record(
            .session, session.revokedAt == nil,
            session.revokedAt == nil ? session.id : "it ended: \(reason)")
    }
}
