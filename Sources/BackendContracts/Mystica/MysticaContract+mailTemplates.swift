import Backend
import Core
import Crypto

extension MysticaContract {
    /// One day, as at the real server's mail provider.
    static let verificationLifetime: Duration = .seconds(86_400)
    static let resetLifetime: Duration = .seconds(3_600)

    func makeVerificationMail(to address: String, account: String?, in realm: Realm) throws
        -> OutgoingMail
    {
        try makeMail(
            subject: "Verify your email",
            intro: "Welcome to Mystica. Follow this link to verify your email address:",
            button: "Verify email",
            closing: "The link works once and for 24 hours. If you did not "
                + "register, ignore this mail.", purpose: .verify, path: "verify",
            lifetime: Self.verificationLifetime, to: address, account: account, in: realm)
    }

    func makeResetMail(to address: String, account: String?, in realm: Realm) throws -> OutgoingMail
    {
        try makeMail(
            subject: "Reset your password",
            intro: "Follow this link to choose a new password for Mystica:",
            button: "Choose a new password",
            closing: "The link works once and for one hour. If you did not "
                + "ask for it, ignore this mail: nothing changes.", purpose: .reset, path: "reset",
            lifetime: Self.resetLifetime, to: address, account: account, in: realm)
    }

    private func makeMail(
        subject: String, intro: String, button: String, closing: String, purpose: Challenge.Purpose,
        path: String, lifetime: Duration, to address: String, account: String?, in realm: Realm
    ) throws -> OutgoingMail {
        let secret = RandomTokens.secret(services.world)
        let template = MailTemplate(
            appName: "Mystica", sender: "no-reply@mystica.app", subject: subject, intro: intro,
            callToAction: .link(
                "\(services.baseURL(of: realm))/\(path)?token=\(secret)", button: button),
            closing: closing, colors: .init(button: "#2d1810", link: "#8b4513"))
        return try services.makeMail(
            template, digest: Digest.sha256(secret), purpose: purpose, lifetime: lifetime,
            to: address,
            account: account, in: realm)
    }
}
