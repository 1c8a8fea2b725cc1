import SQLite
import Web

/// The Micronaut server's dialect: codes by mail.
extension WallContract {
    /// POST /api/v1/auth/email/send-code: beside the codes sent before.
    @Sendable func javaSendCode(_ visit: Visit) async throws -> Response {
        let body = try JSONBody(visit.request)
        let purpose = try javaPurpose(body)
        let realm = realm(visit)
        guard let email = try javaEmail(body) else { throw WallFailure.javaInvalidEmail }
        guard let address = EmailAddress(email) else {
            // The form is not looked at: nobody has such an address, and to
            // register there no mail could be sent.
            throw purpose == .register ? WallFailure.javaInvalidEmail : .emailNotFound
        }
        let known = try await javaAccount(address.text, in: realm)
        switch (purpose, known?.isVerified == true) {
        case (.register, true): throw WallFailure.emailExists
        case (.login, false), (.reset, false): throw WallFailure.emailNotFound
        default: break
        }
        try await javaSend(purpose, to: address, account: known?.id, in: realm)
        return .plainJSON(["message": "Verification code sent to email"])
    }

    /// POST /api/v1/auth/register/email: the domain is looked at only here.
    @Sendable func javaRegister(_ visit: Visit) async throws -> Response {
        guard let (address, guess) = try javaGuess(visit, for: .register) else {
            throw WallFailure(400, "Registration failed")
        }
        guard SchoolDomain(of: address) != nil else {
            throw WallFailure(
                400, "Only school/educational email addresses are allowed for registration")
        }
        let fresh = Account(
            id: Opaque.uuid(premises.world), realm: guess.realm, email: address.text,
            createdAt: guess.now)
        let (account, session, challenge) = try await premises.database.write { connection in
            let known = try connection.account(email: address.text, in: guess.realm)
            guard known?.isVerified != true else { throw WallFailure.emailExists }
            let challenge = try Self.javaFind(guess, on: connection)
            if known == nil { _ = try connection.add(fresh) }
            let account = known ?? fresh
            let session = try open(account, with: challenge, on: connection, at: guess.now)
            return (account, session, challenge)
        }
        premises.mailbox.announceUse(of: challenge)
        return try javaSignedIn(account, session, status: 201)
    }

    /// POST /api/v1/auth/login/email.
    @Sendable func javaLogin(_ visit: Visit) async throws -> Response {
        guard let (address, guess) = try javaGuess(visit, for: .login) else {
            throw WallFailure(400, "Authentication failed")
        }
        let (account, session, challenge) = try await premises.database.write { connection in
            let challenge = try Self.javaFind(guess, on: connection)
            guard let account = try connection.account(email: address.text, in: guess.realm) else {
                throw WallFailure(400, "Authentication failed")
            }
            let session = try open(account, with: challenge, on: connection, at: guess.now)
            return (account, session, challenge)
        }
        premises.mailbox.announceUse(of: challenge)
        return try javaSignedIn(account, session)
    }

    /// The code somebody typed; nil if the address or the code is blank.
    private func javaGuess(_ visit: Visit, for purpose: Challenge.Purpose) throws -> (
        EmailAddress, Guess
    )? {
        let body = try JSONBody(visit.request)
        let code = try body.text("code", limit: JSONBody.wordLimit)
        guard let email = try javaEmail(body), let code, let address = EmailAddress(email) else {
            return nil
        }
        return (address, try guess(code, .java, of: address.text, for: [purpose], in: realm(visit)))
    }

    private static func javaFind(_ guess: Guess, on connection: Connection) throws -> Challenge {
        switch try look(at: guess, on: connection) {
        case .right(let challenge): return challenge
        case .expired: throw WallFailure(400, "Code has expired")
        case .wrong: throw WallFailure(400, "Invalid or expired code")
        }
    }

    private func javaPurpose(_ body: JSONBody) throws -> Challenge.Purpose {
        switch try body.text("purpose", limit: JSONBody.wordLimit) {
        case "register": return .register
        case "login": return .login
        case "reset_password": return .reset
        default:
            throw WallFailure(
                400, "Invalid JSON: purpose must be one of register, login, reset_password",
                .framework)
        }
    }
}
