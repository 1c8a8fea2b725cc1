import SQLite
import Secrets
import Web

/// The Micronaut server's dialect: passwords.
extension WallContract {
    /// POST /api/v1/auth/login/password.
    @Sendable func javaPasswordLogin(_ visit: Visit) async throws -> Response {
        let body = try JSONBody(visit.request)
        let email = try javaEmail(body).flatMap { EmailAddress($0)?.text }
        let password = try body.text("password", limit: JSONBody.passwordLimit)
        let realm = realm(visit)
        let found = try await javaAccount(email ?? "", in: realm)
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await premises.hasher.verify(password ?? "", against: found?.passwordHash)
        guard let account = found, account.isVerified, password != nil else {
            throw WallFailure(400, "Invalid email or password")
        }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard isRight else { throw WallFailure(400, "Invalid email or password") }
        let now = premises.now(in: realm)
        let session = try await premises.database.write { [family] connection in
            try connection.noteLogin(of: account.id, at: now)
            return try family.begin(account, token: nil, on: connection, at: now)
        }
        return try javaSignedIn(account, session)
    }

    /// POST /api/v1/auth/password/set, for who never had one.
    @Sendable func javaSetPassword(_ visit: Visit) async throws -> Response {
        let account = try await javaBearer(visit)
        let body = try JSONBody(visit.request)
        guard let password = try body.text("password", limit: JSONBody.passwordLimit) else {
            throw WallFailure.missingPassword
        }
        guard account.passwordHash == nil else {
            throw WallFailure(400, "Password already set for this account")
        }
        try await change(account, to: password)
        return .plainJSON(javaUser(account))
    }

    /// POST /api/v1/auth/password/change.
    @Sendable func javaChangePassword(_ visit: Visit) async throws -> Response {
        let account = try await javaBearer(visit)
        let body = try JSONBody(visit.request)
        let old = try body.text("oldPassword", limit: JSONBody.passwordLimit)
        let new = try body.text("newPassword", limit: JSONBody.passwordLimit)
        guard let old, let new else { throw WallFailure(400, "Password change failed") }
        guard account.passwordHash != nil else { throw WallFailure.passwordNotSet }
        guard try await premises.hasher.verify(old, against: account.passwordHash) else {
            throw WallFailure(400, "Old password is incorrect")
        }
        try await change(account, to: new)
        return .plainJSON(javaUser(account))
    }

    /// POST /api/v1/auth/password/reset-request.
    @Sendable func javaRequestReset(_ visit: Visit) async throws -> Response {
        let body = try JSONBody(visit.request)
        let realm = realm(visit)
        guard let email = try javaEmail(body) else {
            throw WallFailure(400, "Failed to process request")
        }
        guard let address = EmailAddress(email),
            let account = try await javaAccount(address.text, in: realm), account.isVerified
        else { throw WallFailure(404, "Email not found") }
        try await javaSend(.reset, to: address, account: account.id, in: realm)
        return .plainJSON(["message": "Password reset code sent to email"])
    }

    /// POST /api/v1/auth/password/reset: signs in as well.
    @Sendable func javaReset(_ visit: Visit) async throws -> Response {
        let body = try JSONBody(visit.request)
        let code = try body.text("code", limit: JSONBody.wordLimit)
        let password = try body.text("newPassword", limit: JSONBody.passwordLimit)
        let realm = realm(visit)
        let email = try javaEmail(body).flatMap { EmailAddress($0)?.text }
        guard let email, try await javaAccount(email, in: realm)?.isVerified == true else {
            throw WallFailure.emailNotFound
        }
        guard let password else { throw WallFailure.missingPassword }
        let hash = try await premises.hasher.hash(password)
        let guess = try guess(code ?? "", .java, of: email, for: [.reset], in: realm)
        let (account, session, challenge) = try await premises.database.write { connection in
            let challenge: Challenge
            switch try Self.look(at: guess, on: connection) {
            case .right(let found): challenge = found
            case .expired: throw WallFailure(400, "Reset code has expired")
            case .wrong: throw WallFailure(400, "Invalid or expired reset code")
            }
            guard var account = try connection.account(email: email, in: realm) else {
                throw WallFailure.emailNotFound
            }
            try connection.setPassword(of: account.id, hash: hash)
            account.passwordHash = hash
            let session = try open(account, with: challenge, on: connection, at: guess.now)
            return (account, session, challenge)
        }
        premises.mailbox.announceUse(of: challenge)
        return try javaSignedIn(account, session)
    }

    /// The hash is made outside of the write; who changed it meanwhile was
    /// first.
    private func change(_ account: Account, to password: String) async throws {
        let hash = try await premises.hasher.hash(password)
        try await premises.database.write { connection in
            let current = try connection.account(account.id, in: account.realm)
            guard current?.passwordHash == account.passwordHash else {
                throw WallFailure(400, "Password change failed")
            }
            try connection.setPassword(of: account.id, hash: hash)
        }
    }
}
