import SQLite
import Web

/// What the Micronaut server's endpoints have in common.
extension WallContract {
    func javaSend(
        _ purpose: Challenge.Purpose, to address: EmailAddress, account: String?, in realm: Realm
    ) async throws {
        let letter = try letter(
            .campus(purpose), .java, for: purpose, to: address, account: account, in: realm)
        let place = try await premises.database.write { [premises] connection -> Int64? in
            try connection.addCode(letter.challenge)
            return try premises.mailbox.send(letter.envelope, limit: .none, on: connection)
        }
        premises.mailbox.announce(letter.envelope, at: place)
    }

    /// The address as it was sent; nil if it is blank.
    func javaEmail(_ body: JSONBody) throws -> String? {
        let email = try body.text("email", limit: JSONBody.emailLimit)
        return email?.trimming(" \t\r\n").isEmpty == false ? email : nil
    }

    /// `email` is normalised.
    func javaAccount(_ email: String, in realm: Realm) async throws -> Account? {
        try await premises.database.read { connection in
            try connection.account(email: email, in: realm)
        }
    }

    func javaSignedIn(_ account: Account, _ session: Session, status: Int = 200) throws -> Response
    {
        .plainJSON(
            ["accessToken": .string(try accessToken(account, session)), "user": javaUser(account)],
            status: status)
    }

    /// `passwordSet` is never filled.
    func javaUser(_ account: Account) -> JSON {
        [
            "id": .string(account.id), "email": JSON(account.email), "isVerified": true,
            "createdAt": .string(account.createdAt.iso8601Seconds),
        ]
    }

    /// Who a bearer token speaks for, as `X-User-Id` must say as well.
    func javaBearer(_ visit: Visit) async throws -> Account {
        guard let token = Bearer(visit.request).token,
            case .valid(let claims) = tokens.read(token, at: premises.now(in: realm(visit)))
        else { throw WallFailure.unauthorized }
        guard let named = visit.request.headers["X-User-Id"] else {
            throw WallFailure(400, "Required Header [X-User-Id] not specified", .framework)
        }
        let realm = realm(visit)
        guard Opaque.uuid(reading: named) == claims.subject,
            let account = try await premises.database.read({ connection in
                try connection.account(claims.subject, in: realm)
            })
        else { throw WallFailure.unauthorized }
        return account
    }
}
