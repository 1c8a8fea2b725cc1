import Backend
import Crypto
import SQLite
import Web

/// The Micronaut server's dialect: passwords.
extension WallContract {
    /// POST /api/v1/auth/login/password.
    func micronautPasswordLogin(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try readMicronautEmail(body).flatMap { EmailAddress($0)?.text }
        let password = try body.password()
        let (found, accepted) = try await authenticate(email: email ?? "", password: password ?? "")
        guard let account = found, account.isVerified, password != nil else {
            throw WallFailure.wrongEmailOrPassword
        }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard accepted != nil else { throw WallFailure.wrongEmailOrPassword }
        let now = now
        let session = try await database.write { [family = refreshFamily] connection in
            try connection.recordLogin(of: account.id, at: now)
            return try family.startSession(account, token: nil, on: connection, at: now)
        }
        return try micronautSignInResponse(account, session)
    }

    /// POST /api/v1/auth/password/set, for accounts without a password.
    func micronautSetPassword(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateMicronautBearer(context)
        let body = try JSONBody(context.request)
        let password = try body.password().orThrow(WallFailure.missingPassword)
        guard account.passwordHash == nil else { throw WallFailure.passwordAlreadySet }
        try await setPassword(account, to: password)
        return .plainJSON(micronautUserJSON(account))
    }

    /// POST /api/v1/auth/password/change.
    func micronautChangePassword(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateMicronautBearer(context)
        let body = try JSONBody(context.request)
        let oldPassword = try body.password("oldPassword")
        let newPassword = try body.password("newPassword")
        guard let oldPassword, let newPassword else { throw WallFailure.passwordChangeFailed }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard try await services.hasher.verify(oldPassword, against: account.passwordHash) else {
            throw WallFailure.wrongOldPassword
        }
        try await setPassword(account, to: newPassword)
        return .plainJSON(micronautUserJSON(account))
    }

    /// POST /api/v1/auth/password/reset-request.
    func micronautRequestReset(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try readMicronautEmail(body).orThrow(
            WallFailure(400, "Failed to process request"))
        guard let address = EmailAddress(email),
            let account = try await findAccount(email: address.text), account.isVerified
        else { throw WallFailure.noAccountToReset }
        try await sendMicronautCode(.reset, to: address, account: account.id)
        return .plainJSON(["message": "Password reset code sent to email"])
    }

    /// POST /api/v1/auth/password/reset. It also signs in.
    func micronautReset(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let code = try body.text("code")
        let password = try body.password("newPassword")
        let email = try readMicronautEmail(body).flatMap { EmailAddress($0)?.text }
        guard let email, try await findAccount(email: email)?.isVerified == true else {
            throw WallFailure.emailNotFound
        }
        guard let password else { throw WallFailure.missingPassword }
        let hash = try await services.hasher.hash(password)
        let attempt = try makeCodeAttempt(
            code ?? "", of: email, for: [.reset], dialect: WallDialect.micronaut.rawValue)
        let (account, session, challenge) = try await database.write { connection in
            let challenge = try requireChallenge(
                attempt, on: connection, expired: .resetCodeHasExpired,
                invalid: .invalidOrExpiredResetCode)
            var account = try connection.account(email: email, in: realm).orThrow(
                WallFailure.emailNotFound)
            try connection.setPassword(of: account.id, hash: hash)
            account.passwordHash = hash
            let session = try signIn(account, with: challenge, on: connection, at: attempt.now)
            return (account, session, challenge)
        }
        services.mailbox.publishUsed(of: challenge)
        return try micronautSignInResponse(account, session)
    }

    /// Hashes outside the write. If the password was changed meanwhile, the first change wins.
    private func setPassword(_ account: Account, to password: String) async throws {
        let hash = try await services.hasher.hash(password)
        try await database.write { connection in
            let current = try connection.account(account.id, in: realm)
            guard current?.passwordHash == account.passwordHash else {
                throw WallFailure.passwordChangeFailed
            }
            try connection.setPassword(of: account.id, hash: hash)
        }
    }
}
