import Backend
import Core
import SQLite
import Web

/// The specification's dialect ("Backend API Integration").
extension WallContract {
    /// POST /auth/register: creates an account that is verified with the mailed code. An unverified
    /// address may register again.
    func register(_ context: RequestContext) async throws -> Response {
        let address = try readEmailAddress(try JSONBody(context.request))
        let existing = try await findAccount(email: address.text)
        guard existing?.isVerified != true else { throw WallFailure.emailExists }
        let newAccount = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text, createdAt: now
        )
        return try await sendCode(.register, to: address, adding: existing ?? newAccount)
    }

    /// POST /auth/request-code, for existing accounts.
    func requestCode(_ context: RequestContext) async throws -> Response {
        let address = try readEmailAddress(try JSONBody(context.request))
        guard try await findAccount(email: address.text) != nil else {
            try await recordUnsentMail(to: address.text, for: .login, .unknown)
            throw WallFailure.unknownEmail
        }
        return try await sendCode(.login, to: address)
    }

    /// POST /auth/login, with the newest code, for whichever purpose it was sent.
    func login(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let address = try readEmailAddress(body)
        let code = try body.text("verification_code").orThrow(WallFailure.missingCode)
        let attempt = try makeCodeAttempt(
            code.trimming(" "), of: address.text, for: Self.signInPurposes,
            dialect: WallDialect.specification.rawValue)
        let (outcome, challenge) = try await database.write { connection in
            try redeemCode(attempt, on: connection)
        }
        let (account, session) = try outcome.get()
        if let challenge { services.mailbox.publishUsed(of: challenge) }
        return .json([
            "success": true, "message": "Login successful",
            "user": [
                "id": .string(account.id), "email": JSON(account.email),
                "created_at": .string(account.createdAt.iso8601Seconds),
            ], "token": .string(try makeAccessToken(account, session.session)),
            "refresh_token": .string(session.refreshToken),
        ])
    }

    private static let signInPurposes: [Challenge.Purpose] = [.login, .register]

    /// Redeems a code. Failures are returned, because a thrown error would roll back the counted
    /// attempt. An unknown address fails like a wrong code, so that the response does not reveal
    /// accounts.
    private func redeemCode(_ attempt: CodeAttempt, on connection: Connection) throws -> (
        Result<(Account, WallSession), WallFailure>, Challenge?
    ) {
        switch try attempt.check(on: connection) {
        case .expired: return (.failure(.expiredCode), nil)
        case .invalid:
            let count = try attempt.countFailure(on: connection)
            return (.failure(count > Self.maxCodeAttempts ? .tooManyWrongCodes : .invalidCode), nil)
        case .valid(let challenge):
            guard challenge.failedAttempts < Self.maxCodeAttempts else {
                return (.failure(.tooManyWrongCodes), nil)
            }
            guard let account = try connection.account(email: attempt.email, in: realm) else {
                return (.failure(.invalidCode), nil)
            }
            let session = try signIn(account, with: challenge, on: connection, at: attempt.now)
            return (.success((account, session)), challenge)
        }
    }

    /// Sends a code and invalidates those sent before.
    private func sendCode(
        _ purpose: Challenge.Purpose, to address: EmailAddress, adding account: Account? = nil
    ) async throws -> Response {
        // The code belongs to the address, not to an account. Of two concurrent registrations one
        // is first, and the other's code signs in to the existing account.
        let mail = try makeMail(for: purpose, .specification, to: address, account: nil)
        let isSent = try await sendCode(
            mail, replacing: Self.signInPurposes, limit: mailLimit, adding: account)
        guard isSent else { throw WallFailure.tooManyCodes }
        return .json(["success": true, "message": "Verification code sent to your email"])
    }

    private func readEmailAddress(_ body: JSONBody) throws -> EmailAddress {
        let email = try body.email().orThrow(WallFailure.missingEmail)
        guard let address = EmailAddress(email) else { throw WallFailure.invalidEmail }
        return address
    }
}
