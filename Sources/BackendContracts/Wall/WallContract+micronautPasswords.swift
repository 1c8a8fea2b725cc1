import Backend
import Crypto
import SQLite
import Web

/// The Micronaut server's dialect: passwords.
extension WallContract {
    /// POST /api/v1/auth/login/password.
    @Sendable func micronautPasswordLogin(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try readMicronautEmail(body).flatMap { EmailAddress($0)?.text }
        let password = try body.text("password", limit: JSONBody.passwordLimit)
        let realm = realm(context)
        let (found, isAccepted) = try await services.authenticate(
            email: email ?? "", password: password ?? "", in: realm)
        guard let account = found, account.isVerified, password != nil else {
            throw WallFailure.wrongEmailOrPassword
        }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard isAccepted else { throw WallFailure.wrongEmailOrPassword }
        let now = services.now(in: realm)
        let session = try await services.database.write { [family = refreshFamily] connection in
            try connection.recordLogin(of: account.id, at: now)
            return try family.startSession(account, token: nil, on: connection, at: now)
        }
        return try micronautSignInResponse(account, session)
    }

    /// POST /api/v1/auth/password/set, for accounts without a password.
    @Sendable func micronautSetPassword(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateMicronautBearer(context)
        let body = try JSONBody(context.request)
        guard let password = try body.text("password", limit: JSONBody.passwordLimit) else {
            throw WallFailure.missingPassword
        }
        guard account.passwordHash == nil else { throw WallFailure.passwordAlreadySet }
        try await setPassword(account, to: password)
        return .plainJSON(micronautUserJSON(account))
    }

    /// POST /api/v1/auth/password/change.
    @Sendable func micronautChangePassword(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateMicronautBearer(context)
        let body = try JSONBody(context.request)
        let oldPassword = try body.text("oldPassword", limit: JSONBody.passwordLimit)
        let newPassword = try body.text("newPassword", limit: JSONBody.passwordLimit)
        guard let oldPassword, let newPassword else { throw WallFailure.passwordChangeFailed }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard try await services.hasher.verify(oldPassword, against: account.passwordHash) else {
            throw WallFailure.wrongOldPassword
        }
        try await setPassword(account, to: newPassword)
        return .plainJSON(micronautUserJSON(account))
    }

    /// POST /api/v1/auth/password/reset-request.
    @Sendable func micronautRequestReset(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let realm = realm(context)
        guard let email = try readMicronautEmail(body) else {
            throw WallFailure(400, "Failed to process request")
        }
        guard let address = EmailAddress(email),
            let account = try await services.account(email: address.text, in: realm),
            account.isVerified
        else { throw WallFailure.noAccountToReset }
        try await sendMicronautCode(.reset, to: address, account: account.id, in: realm)
        return .plainJSON(["message": "Password reset code sent to email"])
    }

    /// POST /api/v1/auth/password/reset. It also signs in.
    @Sendable func micronautReset(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let code = try body.text("code", limit: JSONBody.shortTextLimit)
        let password = try body.text("newPassword", limit: JSONBody.passwordLimit)
        let realm = realm(context)
        let email = try readMicronautEmail(body).flatMap { EmailAddress($0)?.text }
        guard let email, try await services.account(email: email, in: realm)?.isVerified == true
        else { throw WallFailure.emailNotFound }
        guard let password else { throw WallFailure.missingPassword }
        let hash = try await services.hasher.hash(password)
        let attempt = try makeCodeAttempt(
            code ?? "", .micronaut, of: email, for: [.reset], in: realm)
        let (account, session, challenge) = try await services.database.write { connection in
            let challenge = try Self.requireMicronautChallenge(
                attempt, on: connection, expired: .resetCodeHasExpired,
                invalid: .invalidOrExpiredResetCode)
            guard var account = try connection.account(email: email, in: realm) else {
                throw WallFailure.emailNotFound
            }
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
        try await services.database.write { connection in
            let current = try connection.account(account.id, in: account.realm)
            guard current?.passwordHash == account.passwordHash else {
                throw WallFailure.passwordChangeFailed
            }
            try connection.setPassword(of: account.id, hash: hash)
        }
    }
}
