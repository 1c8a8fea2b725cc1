import Backend
import Crypto
import SQLite
import Web

/// Sends and checks codes.
extension WallContract {
    func makeMail(
        _ mail: WallMailText, _ dialect: WallDialect, for purpose: Challenge.Purpose,
        to address: EmailAddress, account: String?
    ) throws -> OutgoingMail {
        try makeCodeMail(
            for: purpose, lifetime: Self.codeLifetime, to: address.text, account: account,
            dialect: dialect.rawValue, template: mail.makeTemplate)
    }

    /// Signs in with the code of `challenge`. Reading its mail proves the address, so the address
    /// is verified. Every other code of the address is invalidated.
    func signIn(
        _ account: Account, with challenge: Challenge, on connection: Connection, at now: Timestamp
    ) throws -> BackendSession {
        try connection.markUsed(challenge, at: now)
        try connection.invalidateCodes(
            of: challenge.email, for: [.login, .register, .reset], in: realm, at: now)
        try connection.verifyEmail(of: account.id, at: now)
        try connection.recordLogin(of: account.id, at: now)
        return try refreshFamily.startSession(account, token: nil, on: connection, at: now)
    }

    func makeAccessToken(_ account: Account, _ session: BackendSession) throws -> String {
        try signToken(
            [
                "iss": .string(baseURL), "sub": .string(account.id), "email": JSON(account.email),
                // No account gets a token without having read a mail.
                "verified": true, "passwordSet": .bool(account.passwordHash != nil),
                "session_id": .string(session.id),
            ], of: account, lifetime: Self.accessTokenLifetime)
    }
}

/// The texts of Anonymous Wall's mails.
struct WallMailText: Sendable {
    let subject: String
    let intro: String

    /// The specification's only mail.
    static let code = WallMailText(
        subject: "Anonymous Wall – your code",
        intro: "Type this code in the app to log in to Anonymous Wall:")

    /// The Micronaut server's mail for a purpose.
    static func micronaut(_ purpose: Challenge.Purpose) -> WallMailText {
        switch purpose {
        case .register:
            WallMailText(
                subject: "Campus Wall - Verify Your Email",
                intro: "Type this code in the app to verify your email:")
        case .reset:
            WallMailText(
                subject: "Campus Wall - Reset Your Password",
                intro: "Type this code in the app to choose a new password:")
        default:
            WallMailText(
                subject: "Campus Wall - Login Code", intro: "Type this code in the app to log in:")
        }
    }

    func makeTemplate(code: String) -> MailTemplate {
        MailTemplate(
            appName: "Anonymous Wall", sender: "no-reply@anonymouswall.app", subject: subject,
            intro: intro, callToAction: .code(code),
            closing: "The code works once and for 15 minutes. If you did not "
                + "ask for it, ignore this mail.", colors: .init(button: "#0067d9", link: "#0067d9")
        )
    }
}
