import Backend
import FoundationEssentials
import SQLite
import Web

/// The NestJS server's dialect: login, registration and the current user.
extension BobContract {
    /// POST /nest/api/auth/login.
    func nestLogin(_ context: RequestContext) async throws -> Response {
        let body = try NestBody(context.request)
        try body.check([.email, .password])
        let email = EmailAddress(body["email"])?.text
        let subject = "\(email ?? "") \(context.request.peer)"
        let account = try await authenticate(
            email: email, password: body["password"], limit: Self.failedLoginLimit, of: subject,
            failure: BobFailure.tooManyLogins
        ).accepted.orThrow(BobFailure.invalidCredentials)
        services.rateLimits.clear(Self.failedLoginLimit, of: subject, in: realm)
        let (session, refreshToken) = try await signIn(account, .nest)
        return try tokenResponse(account, session, refreshToken)
    }

    /// POST /nest/api/auth/register: responds with the user alone, without tokens.
    func nestRegister(_ context: RequestContext) async throws -> Response {
        let body = try NestBody(context.request)
        try body.check([
            .email, .newPassword, .personName("firstName"), .personName("lastName"), .phoneNumber,
        ])
        let address = try EmailAddress(body["email"]).orThrow(
            BobFailure(400, [.string(NestRule.email.message)]))
        let phone = body["phoneNumber"]
        let account = try await createAccount(
            address, body["password"],
            BobProfile(
                firstName: body["firstName"], lastName: body["lastName"],
                phoneNumber: phone.isEmpty ? nil : phone, role: BobDialect.nest.defaultRole))
        return .json(userJSON(account), status: 201)
    }

    /// GET /nest/api/auth/me.
    func nestMe(_ context: RequestContext) async throws -> Response {
        let claims = try authenticateBearer(context)
        let account = try await findAccount(claims.subject).orThrow(BobFailure.invalidAccessToken)
        guard account.disabledAt == nil else { throw BobFailure.accountInactive }
        let profile = BobProfile(account)
        let createdAt = JSON.string(account.createdAt.date.iso8601)
        return .json([
            "id": .string(account.id), "email": JSON(account.email),
            "firstName": .string(profile.firstName), "lastName": .string(profile.lastName),
            "phoneNumber": JSON(profile.phoneNumber), "role": .string(profile.role),
            "systemRole": "user", "isActive": true,
            "emailVerified": .bool(account.emailVerifiedAt != nil), "createdAt": createdAt,
            "updatedAt": createdAt,
        ])
    }

    /// The response of login and refresh. `refreshToken` is left out if there is no new one.
    func tokenResponse(_ account: Account, _ session: BackendSession, _ refreshToken: String?)
        throws -> Response
    {
        let lifetime = accessTokens.lifetime(BobDialect.nest.accessTokenLifetime, of: account)
        return .json(
            .omittingNil([
                "accessToken": .string(try makeAccessToken(account, session, .nest)),
                "refreshToken": refreshToken.map(JSON.string), "tokenType": "Bearer",
                "expiresIn": .int(lifetime.components.seconds), "user": userJSON(account),
            ]))
    }

    private func userJSON(_ account: Account) -> JSON {
        let profile = BobProfile(account)
        let createdAt = JSON.string(account.createdAt.date.iso8601)
        return .omittingNil([
            "id": .string(account.id), "email": JSON(account.email),
            "firstName": .string(profile.firstName), "lastName": .string(profile.lastName),
            "phoneNumber": profile.phoneNumber.map(JSON.string), "role": .string(profile.role),
            "createdAt": createdAt, "updatedAt": createdAt,
        ])
    }

    // MARK: The NestJS server's dialect: refresh and logout

    /// POST /nest/api/auth/refresh, with the token in the body or in a cookie.
    func nestRefresh(_ context: RequestContext) async throws -> Response {
        try count(Self.refreshLimit, of: context.request.peer, failure: BobFailure.tooManyRefreshes)
        let body = try NestBody(context.request)
        try body.check([.refreshToken])
        let cookie = Cookies(context.request.headers)["refreshToken"] ?? ""
        let token = body["refreshToken"].isEmpty ? cookie : body["refreshToken"]
        guard !token.isEmpty else { throw BobFailure.missingRefreshToken }
        let outcome = try await rotate(token, dialect: .nest)
        switch outcome {
        case .unknown: throw BobFailure.invalidRefreshToken
        case .rejected(_, let ending): throw BobFailure.refreshTokenEnded(ending)
        case .rotated(let session, let account, let refreshToken):
            return try tokenResponse(account, session, refreshToken)
        }
    }

    /// POST /nest/api/auth/logout: ends every session of the account. Its access tokens stay valid
    /// until they expire.
    func nestLogout(_ context: RequestContext) async throws -> Response {
        let claims = try authenticateBearer(context)
        let now = now
        let accountExists = try await database.write { connection in
            guard let account = try connection.account(claims.subject, in: realm) else {
                return false
            }
            try connection.revokeSessions(of: account.id, reason: .signedOut, at: now)
            return true
        }
        guard accountExists else { throw BobFailure.invalidAccessToken }
        return .json(["message": "Successfully logged out from all devices"])
    }
}
