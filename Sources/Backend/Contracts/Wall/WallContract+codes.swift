import Crypto
import SQLite
import Web

/// Sending codes and taking them back.
extension WallContract {
    /// A code as somebody typed it, by everything it may have been sent for.
    struct CodeAttempt: Sendable {
        let email: String
        let realm: Realm
        let digests: [(purpose: Challenge.Purpose, digest: String)]
        let now: Timestamp
        let faultTicket = FaultTicket.current
    }

    /// What a typed code turned out to be.
    enum CodeCheckResult: Sendable {
        case valid(Challenge)
        case expired
        /// Never sent, used, or replaced.
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

    /// Looks a guess up inside a write and uses nothing.
    static func checkCode(_ attempt: CodeAttempt, on connection: Connection) throws
        -> CodeCheckResult
    {
        var finding = CodeCheckResult.invalid
        for (purpose, digest) in attempt.digests {
            let found = try connection.challenge(digest, for: purpose, in: attempt.realm)
            switch found?.state(at: attempt.now) {
            case .valid:
                guard attempt.faultTicket?.triggers(.codeExpired) != true else {
                    finding = .expired
                    continue
                }
                if let found { return .valid(found) }
            case .expired: finding = .expired
            case .used, .replaced, nil: break
            }
        }
        return finding
    }

    /// Signs in whoever typed `challenge`'s code: its mail was read, so the
    /// address is theirs, and every other code of it ends.
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
        let now = services.now(in: account.realm)
        return try accessTokens.sign(
            [
                "iss": .string(services.baseURL(of: account.realm)), "sub": .string(account.id),
                "email": JSON(account.email),
                // Nobody gets one without having read a mail.
                "verified": true,
                "passwordSet": .bool(account.passwordHash != nil),
                "session_id": .string(session.id),
                "iat": .int(now.seconds),
                "exp": .int(
                    (now + accessTokens.lifetime(Self.accessTokenLifetime, of: account)).seconds),
            ], as: .access)
    }
}
