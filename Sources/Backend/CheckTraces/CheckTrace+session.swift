extension CheckTrace {
    /// Notes whether the session a token belongs to still lives.
    static func record(session: BackendSession?) {
        guard let session else {
            record(.session, false, "there is no such session")
            return
        }
        let because = session.revocationReason ?? "revoked"
        record(
            .session, session.revokedAt == nil,
            session.revokedAt == nil ? session.id : "it ended: \(because)")
    }
}
