import SQLite
import Web

/// What the Micronaut server's endpoints have in common.
extension WallContract {
    func sendMicronautCode(
        _ purpose: Challenge.Purpose, to address: EmailAddress, account: String?, in realm: Realm
    ) async throws {
        let mail = try makeMail(
            .micronaut(purpose), .micronaut, for: purpose, to: address, account: account, in: realm)
        let place = try await services.database.write { [services] connection -> Int64? in
            try connection.addCode(mail.challenge)
            return try services.mailbox.send(mail.sealedDraft, limit: .unlimited, on: connection)
        }
        services.mailbox.publishSent(mail.sealedDraft, at: place)
    }

    /// The address as it was sent; nil if it is blank.
    func readMicronautEmail(_ body: JSONBody) throws -> String? {
        let email = try body.text("email", limit: JSONBody.emailLimit)
        return email?.trimming(" \t\r\n").isEmpty == false ? email : nil
    }

    /// `email` is normalised.
    func findMicronautAccount(_ email: String, in realm: Realm) async throws -> Account? {
        try await services.database.read { connection in
            try connection.account(email: email, in: realm)
        }
    }

    func micronautSignInResponse(_ account: Account, _ session: BackendSession, status: Int = 200)
        throws -> Response
    {
        .plainJSON(
            [
                "accessToken": .string(try makeAccessToken(account, session)),
                "user": micronautUserJSON(account),
            ],
            status: status)
    }

    /// `passwordSet` is never filled.
    func micronautUserJSON(_ account: Account) -> JSON {
        [
            "id": .string(account.id), "email": JSON(account.email), "isVerified": true,
            "createdAt": .string(account.createdAt.iso8601Seconds),
        ]
    }

    /// Who a bearer token speaks for, as `X-User-Id` must say as well.
    func authenticateMicronautBearer(_ context: RequestContext) async throws -> Account {
        guard let token = Bearer(context.request).token,
            case .valid(let claims) = accessTokens.validate(
                token, at: services.now(in: realm(context)))
        else { throw WallFailure.unauthorized }
        guard let named = context.request.headers["X-User-Id"] else {
            throw WallFailure(400, "Required Header [X-User-Id] not specified", .framework)
        }
        let realm = realm(context)
        guard RandomTokens.uuid(parsing: named) == claims.subject,
            let account = try await services.database.read({ connection in
                try connection.account(claims.subject, in: realm)
            })
        else { throw WallFailure.unauthorized }
        return account
    }
}
