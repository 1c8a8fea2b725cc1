import SQLite
import Secrets
import Web

/// Sending codes and taking them back.
extension WallContract {
    /// A code as somebody typed it, by everything it may have been sent for.
    struct Guess: Sendable {
        let email: String
        let realm: Realm
        let digests: [(purpose: Challenge.Purpose, digest: String)]
        let now: Moment
        let ticket = Ticket.current
    }

    /// What a typed code turned out to be.
    enum Finding: Sendable {
        case right(Challenge)
        case expired
        /// Never sent, used, or replaced.
        case wrong
    }

    func letter(
        _ mail: WallMail, _ dialect: WallDialect, for purpose: Challenge.Purpose,
        to address: EmailAddress, account: String?, in realm: Realm
    ) throws -> Letter {
        let code = codes.make()
        return try premises.letter(
            mail.words(code),
            digest: try codes.digest(
                code, to: address.text, for: purpose, in: realm, dialect: dialect.rawValue),
            purpose: purpose, life: Self.codeLife, to: address.text, account: account, in: realm)
    }

    func guess(
        _ code: String, _ dialect: WallDialect, of email: String, for purposes: [Challenge.Purpose],
        in realm: Realm
    ) throws -> Guess {
        Guess(
            email: email, realm: realm,
            digests: try purposes.map { purpose in
                (
                    purpose,
                    try codes.digest(
                        code, to: email, for: purpose, in: realm, dialect: dialect.rawValue)
                )
            }, now: premises.now(in: realm))
    }

    /// Looks a guess up inside a write and uses nothing.
    static func look(at guess: Guess, on connection: Connection) throws -> Finding {
        var finding = Finding.wrong
        for (purpose, digest) in guess.digests {
            let found = try connection.challenge(digest, for: purpose, in: guess.realm)
            switch found?.state(at: guess.now) {
            case .fresh:
                guard guess.ticket?.befalls(.codeExpired) != true else {
                    finding = .expired
                    continue
                }
                if let found { return .right(found) }
            case .expired: finding = .expired
            case .used, .replaced, nil: break
            }
        }
        return finding
    }

    /// Signs in whoever typed `challenge`'s code: its mail was read, so the
    /// address is theirs, and every other code of it ends.
    func open(
        _ account: Account, with challenge: Challenge, on connection: Connection, at now: Moment
    ) throws -> Session {
        try connection.use(challenge, at: now)
        try connection.endCodes(
            of: challenge.email, for: [.login, .register, .reset], in: challenge.realm, at: now)
        try connection.verifyEmail(of: account.id, at: now)
        try connection.noteLogin(of: account.id, at: now)
        return try family.begin(account, token: nil, on: connection, at: now)
    }

    func accessToken(_ account: Account, _ session: Session) throws -> String {
        let now = premises.now(in: account.realm)
        return try tokens.sign(
            [
                "iss": .string(premises.base(of: account.realm)), "sub": .string(account.id),
                "email": JSON(account.email),
                // Nobody gets one without having read a mail.
                "verified": true,
                "passwordSet": .bool(account.passwordHash != nil),
                "session_id": .string(session.id),
                "iat": .int(now.seconds),
                "exp": .int(
                    (now + tokens.life(Self.accessLife, of: account)).seconds),
            ], as: .access)
    }
}
