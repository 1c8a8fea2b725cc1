import Secrets
import Surroundings

extension MysticaContract {
    /// A day, as the real server's provider gives.
    static let verificationLife: Duration = .seconds(86_400)
    static let resetLife: Duration = .seconds(3_600)

    func verificationLetter(
        to address: String, account: String?, in realm: Realm
    ) throws -> Letter {
        try letter(
            MysticaMail(
                subject: "Verify your email",
                lead: "Welcome to Mystica. Follow this link to verify your "
                    + "email address:",
                button: "Verify email",
                rest: "The link works once and for 24 hours. If you did not "
                    + "register, ignore this mail."),
            purpose: .verify, path: "verify", life: Self.verificationLife,
            to: address, account: account, in: realm)
    }

    func resetLetter(
        to address: String, account: String?, in realm: Realm
    ) throws -> Letter {
        try letter(
            MysticaMail(
                subject: "Reset your password",
                lead: "Follow this link to choose a new password for Mystica:",
                button: "Choose a new password",
                rest: "The link works once and for one hour. If you did not "
                    + "ask for it, ignore this mail: nothing changes."),
            purpose: .reset, path: "reset", life: Self.resetLife,
            to: address, account: account, in: realm)
    }

    private func letter(
        _ mail: MysticaMail, purpose: Challenge.Purpose, path: String,
        life: Duration, to address: String, account: String?, in realm: Realm
    ) throws -> Letter {
        let now = premises.now
        let secret = Opaque.secret(premises.world)
        let link = "\(premises.base(of: realm))/\(path)?token=\(secret)"
        let id = premises.world.identifier("mail")
        let draft = MailDraft(
            id: id, realm: realm, to: address, purpose: purpose.rawValue,
            subject: mail.subject, link: link, expiresAt: now + life,
            sentAt: now, text: mail.text(link: link),
            html: mail.html(link: link),
            headers: MailHeaders.fields(
                from: "Mystica <no-reply@mystica.app>", to: address,
                subject: mail.subject, id: "\(id)@mystica.app", at: now))
        return Letter(
            envelope: try premises.mailbox.seal(draft),
            challenge: Challenge(
                digest: Digest.sha256(secret), account: account,
                realm: realm, purpose: purpose, email: address, mail: id,
                createdAt: now, expiresAt: now + life))
    }
}
