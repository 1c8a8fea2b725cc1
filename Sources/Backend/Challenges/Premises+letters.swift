import Surroundings

extension Premises {
    /// A letter that says `words`; `digest` is what its link or code will be
    /// found by, for as long as `life`.
    func letter(
        _ words: MailWords, digest: String, purpose: Challenge.Purpose, life: Duration,
        to address: String, account: String?, in realm: Realm
    ) throws -> Letter {
        let now = now(in: realm)
        let id = world.identifier("mail")
        let draft = words.draft(
            to: address, purpose: purpose, life: life, in: realm, id: id, at: now)
        return Letter(
            envelope: try mailbox.seal(draft),
            challenge: Challenge(
                digest: digest, account: account, realm: realm, purpose: purpose, email: address,
                mail: id, createdAt: now, expiresAt: now + life))
    }
}
