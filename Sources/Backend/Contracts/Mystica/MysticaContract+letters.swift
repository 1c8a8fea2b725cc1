import Secrets
import Surroundings

extension MysticaContract {
    /// A day, as the real server's provider gives.
    static let verificationLife: Duration = .seconds(86_400)
    static let resetLife: Duration = .seconds(3_600)

    func verificationLetter(to address: String, account: String?, in realm: Realm) throws -> Letter
    {
        try letter(
            subject: "Verify your email",
            lead: "Welcome to Mystica. Follow this link to verify your email address:",
            button: "Verify email",
            rest: "The link works once and for 24 hours. If you did not "
                + "register, ignore this mail.", purpose: .verify, path: "verify",
            life: Self.verificationLife, to: address, account: account, in: realm)
    }

    func resetLetter(to address: String, account: String?, in realm: Realm) throws -> Letter {
        try letter(
            subject: "Reset your password",
            lead: "Follow this link to choose a new password for Mystica:",
            button: "Choose a new password",
            rest: "The link works once and for one hour. If you did not "
                + "ask for it, ignore this mail: nothing changes.", purpose: .reset, path: "reset",
            life: Self.resetLife, to: address, account: account, in: realm)
    }

    private func letter(
        subject: String, lead: String, button: String, rest: String, purpose: Challenge.Purpose,
        path: String, life: Duration, to address: String, account: String?, in realm: Realm
    ) throws -> Letter {
        let secret = Opaque.secret(premises.world)
        let words = MailWords(
            app: "Mystica", sender: "no-reply@mystica.app", subject: subject, lead: lead,
            offer: .link("\(premises.base(of: realm))/\(path)?token=\(secret)", button: button),
            rest: rest, look: .init(button: "#2d1810", link: "#8b4513"))
        return try premises.letter(
            words, digest: Digest.sha256(secret), purpose: purpose, life: life, to: address,
            account: account, in: realm)
    }
}
