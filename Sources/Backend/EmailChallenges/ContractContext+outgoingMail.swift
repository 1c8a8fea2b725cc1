import Core

extension ContractContext {
    /// A letter that says `words`; `digest` is what its link or code will be
    /// found by, for as long as `life`.
    func makeMail(
        _ words: MailTemplate, digest: String, purpose: Challenge.Purpose, lifetime: Duration,
        to address: String, account: String?, in realm: Realm
    ) throws -> OutgoingMail {
        let now = now(in: realm)
        let id = world.makeID("mail")
        let draft = words.makeDraft(
            to: address, purpose: purpose, lifetime: lifetime, in: realm, id: id, at: now)
        return OutgoingMail(
            sealedDraft: try mailbox.seal(draft),
            challenge: Challenge(
                digest: digest, accountID: account, realm: realm, purpose: purpose, email: address,
                mailID: id, createdAt: now, expiresAt: now + lifetime))
    }
}
