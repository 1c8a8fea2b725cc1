import Core

extension ContractContext {
    /// A mail written from a template, with a challenge that is found by `digest` and valid for
    /// `lifetime`.
    func makeMail(
        _ template: MailTemplate, digest: String, purpose: Challenge.Purpose, lifetime: Duration,
        to address: String, account: String?, in realm: Realm
    ) throws -> OutgoingMail {
        let now = now(in: realm)
        let id = world.makeID("mail")
        let draft = template.makeDraft(
            to: address, purpose: purpose, lifetime: lifetime, in: realm, id: id, at: now)
        return OutgoingMail(
            sealedDraft: try mailbox.seal(draft),
            challenge: Challenge(
                digest: digest, accountID: account, realm: realm, purpose: purpose, email: address,
                mailID: id, createdAt: now, expiresAt: now + lifetime))
    }
}
