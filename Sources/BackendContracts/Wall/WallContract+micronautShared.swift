import Backend
import Core
import SQLite
import Web

/// Operations shared by the Micronaut server's endpoints.
extension WallContract {
    func sendMicronautCode(
        _ purpose: Challenge.Purpose, to address: EmailAddress, account: String?, in realm: Realm
    ) async throws {
        let mail = try makeMail(
            .micronaut(purpose), .micronaut, for: purpose, to: address, account: account, in: realm)
        _ = try await services.sendCode(mail)
    }

    /// The address as sent. Nil if it is blank.
    func readMicronautEmail(_ body: JSONBody) throws -> String? {
        let email = try body.text("email", limit: JSONBody.emailLimit)
        return email?.trimming(" \t\r\n").isEmpty == false ? email : nil
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

    /// The real server never fills `passwordSet`.
    func micronautUserJSON(_ account: Account) -> JSON {
        [
            "id": .string(account.id), "email": JSON(account.email), "isVerified": true,
            "createdAt": .string(account.createdAt.iso8601Seconds),
        ]
    }

    /// The account of the bearer token, which `X-User-Id` must name as well.
    func authenticateMicronautBearer(_ context: RequestContext) async throws -> Account {
        guard let token = Bearer(context.request).token,
            case .valid(let claims) = accessTokens.validate(
                token, at: services.now(in: realm(context)))
        else { throw WallFailure.unauthorized }
        guard let userID = context.request.headers["X-User-Id"] else {
            throw WallFailure(
                400, "Required Header [X-User-Id] not specified", [.fields], .framework)
        }
        let realm = realm(context)
        guard RandomTokens.uuid(parsing: userID) == claims.subject,
            let account = try await services.account(claims.subject, in: realm)
        else { throw WallFailure.unauthorized }
        return account
    }
}
