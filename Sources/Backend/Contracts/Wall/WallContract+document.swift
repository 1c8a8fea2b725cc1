import SQLite
import Web

/// The document's dialect (Backend API Integration).
extension WallContract {
    /// POST /auth/register: an account that is theirs once they type the
    /// mailed code. Who never did may register again.
    @Sendable func register(_ visit: Visit) async throws -> Response {
        let address = try address(try JSONBody(visit.request))
        let realm = realm(visit)
        let known = try await known(address, in: realm)
        guard known?.isVerified != true else { throw WallFailure.emailExists }
        let fresh = Account(
            id: Opaque.uuid(premises.world), realm: realm, email: address.text,
            createdAt: premises.now(in: realm))
        return try await send(.register, to: address, in: realm, adding: known ?? fresh)
    }

    /// POST /auth/request-code, for accounts there are.
    @Sendable func requestCode(_ visit: Visit) async throws -> Response {
        let address = try address(try JSONBody(visit.request))
        let realm = realm(visit)
        guard try await known(address, in: realm) != nil else {
            let now = premises.now(in: realm)
            try await premises.database.write { connection in
                try connection.note(
                    MailRequest(
                        realm: realm, email: address.text,
                        purpose: Challenge.Purpose.login.rawValue, outcome: .unknown,
                        requestedAt: now))
            }
            throw WallFailure.unknownEmail
        }
        return try await send(.login, to: address, in: realm)
    }

    /// POST /auth/login: any code that was sent last, for whichever reason.
    @Sendable func login(_ visit: Visit) async throws -> Response {
        let body = try JSONBody(visit.request)
        let address = try address(body)
        guard let code = try body.text("verification_code", limit: JSONBody.wordLimit) else {
            throw WallFailure.missingCode
        }
        let guess = try guess(
            code.trimming(" "), .document, of: address.text, for: Self.signingIn, in: realm(visit))
        let (outcome, challenge) = try await premises.database.write { connection in
            try redeem(guess, on: connection)
        }
        let (account, session) = try outcome.get()
        if let challenge { premises.mailbox.announceUse(of: challenge) }
        return .json([
            "success": true, "message": "Login successful",
            "user": [
                "id": .string(account.id), "email": JSON(account.email),
                "created_at": .string(account.createdAt.iso8601Seconds),
            ], "token": .string(try accessToken(account, session)),
        ])
    }

    private static let signingIn: [Challenge.Purpose] = [.login, .register]

    /// A wrong guess is counted, so the refusal is a value: what is thrown
    /// would undo the counting. An address nobody has is refused like a wrong
    /// code, so that this tells nobody who is there.
    private func redeem(_ guess: Guess, on connection: Connection) throws -> (
        Result<(Account, Session), WallFailure>, Challenge?
    ) {
        switch try Self.look(at: guess, on: connection) {
        case .expired: return (.failure(.expiredCode), nil)
        case .wrong:
            let count = try connection.countGuess(
                at: guess.email, for: Self.signingIn, in: guess.realm, at: guess.now)
            return (.failure(count > Self.guesses ? .tooManyGuesses : .invalidCode), nil)
        case .right(let challenge):
            guard challenge.attempts < Self.guesses else { return (.failure(.tooManyGuesses), nil) }
            guard let account = try connection.account(email: guess.email, in: guess.realm) else {
                return (.failure(.invalidCode), nil)
            }
            let session = try open(account, with: challenge, on: connection, at: guess.now)
            return (.success((account, session)), challenge)
        }
    }

    /// Sends a code; those sent before end with it.
    private func send(
        _ purpose: Challenge.Purpose, to address: EmailAddress, in realm: Realm,
        adding account: Account? = nil
    ) async throws -> Response {
        // It belongs to the address: of two who register at once one is
        // first, and the other's code signs in to the account there is.
        let letter = try letter(
            .code, .document, for: purpose, to: address, account: nil, in: realm)
        let place = try await premises.database.write {
            [premises, mailLimit] connection -> Int64? in
            if let account { _ = try connection.add(account) }
            let place = try premises.mailbox.send(letter.envelope, limit: mailLimit, on: connection)
            guard place != nil else { return nil }
            try connection.endCodes(
                of: address.text, for: Self.signingIn, in: realm, at: letter.challenge.createdAt)
            try connection.addCode(letter.challenge)
            return place
        }
        guard place != nil else { throw WallFailure.tooManyCodes }
        premises.mailbox.announce(letter.envelope, at: place)
        return .json(["success": true, "message": "Verification code sent to your email"])
    }

    private func known(_ address: EmailAddress, in realm: Realm) async throws -> Account? {
        try await premises.database.read { connection in
            try connection.account(email: address.text, in: realm)
        }
    }

    private func address(_ body: JSONBody) throws -> EmailAddress {
        guard let email = try body.text("email", limit: JSONBody.emailLimit) else {
            throw WallFailure.missingEmail
        }
        guard let address = EmailAddress(email) else { throw WallFailure.invalidEmail }
        return address
    }
}
