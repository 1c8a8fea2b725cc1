import Backend
import Crypto
import SQLite
import Web

/// Sends and checks codes.
extension WallContract {
    /// A code as entered, with its digest for each purpose it may have been sent for.
    struct CodeAttempt: Sendable {
        let email: String
        let realm: Realm
        let digests: [(purpose: Challenge.Purpose, digest: String)]
        let now: Timestamp
        let faultTicket = FaultTicket.current
    }

    /// The result of checking an entered code.
    enum CodeCheckResult: Sendable {
        case valid(Challenge)
        case expired
        /// Never sent, used or replaced.
        case invalid
    }

    func makeMail(
        _ mail: WallMailText, _ dialect: WallDialect, for purpose: Challenge.Purpose,
        to address: EmailAddress, account: String?, in realm: Realm
    ) throws -> OutgoingMail {
        let code = codes.makeCode()
        return try services.makeMail(
            mail.makeTemplate(code: code),
            digest: try codes.digest(
                code, to: address.text, for: purpose, in: realm, dialect: dialect.rawValue),
            purpose: purpose, lifetime: Self.codeLifetime, to: address.text, account: account,
            in: realm)
    }

    func makeCodeAttempt(
        _ code: String, _ dialect: WallDialect, of email: String, for purposes: [Challenge.Purpose],
        in realm: Realm
    ) throws -> CodeAttempt {
        CodeAttempt(
            email: email, realm: realm,
            digests: try purposes.map { purpose in
                (
                    purpose,
                    try codes.digest(
                        code, to: email, for: purpose, in: realm, dialect: dialect.rawValue)
                )
            }, now: services.now(in: realm))
    }

    /// Checks a code inside a write without using it up.
    static func checkCode(_ attempt: CodeAttempt, on connection: Connection) throws
        -> CodeCheckResult
    {
        var result = CodeCheckResult.invalid
        for (purpose, digest) in attempt.digests {
            let found = try connection.challenge(digest, for: purpose, in: attempt.realm)
            switch found?.state(at: attempt.now) {
            case .valid:
                guard attempt.faultTicket?.triggers(.codeExpired) != true else {
                    result = .expired
                    continue
                }
                if let found { return .valid(found) }
            case .expired: result = .expired
            case .used, .replaced, nil: break
            }
        }
        return result
    }

    /// Signs in with the code of `challenge`. Reading its mail proves the address, so the address
    /// is verified. Every other code of the address is invalidated.
    func signIn(
        _ account: Account, with challenge: Challenge, on connection: Connection, at now: Timestamp
    ) throws -> BackendSession {
        try connection.markUsed(challenge, at: now)
        try connection.invalidateCodes(
            of: challenge.email, for: [.login, .register, .reset], in: challenge.realm, at: now)
        try connection.verifyEmail(of: account.id, at: now)
        try connection.recordLogin(of: account.id, at: now)
        return try refreshFamily.startSession(account, token: nil, on: connection, at: now)
    }

    func makeAccessToken(_ account: Account, _ session: BackendSession) throws -> String {
        try signToken(
            [
                "iss": .string(services.baseURL(of: account.realm)), "sub": .string(account.id),
                "email": JSON(account.email),
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
