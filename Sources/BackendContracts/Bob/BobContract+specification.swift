import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

/// The specification's dialect ("API Endpoints").
extension BobContract {
    /// POST /api/auth/login.
    func login(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try body.email()
        let password = try body.password()
        guard let email, let password else {
            throw BobFailure(400, "Email and password are required")
        }
        let account = try await authenticate(email: EmailAddress(email)?.text, password: password)
            .accepted.orThrow(BobFailure.invalidCredentials)
        let (session, refreshToken) = try await signIn(account, .specification)
        return .json([
            "user": userJSON(account), "tokens": try tokensJSON(account, session, refreshToken),
        ])
    }

    /// POST /api/auth/register, which the specification reserves "for future use": creates an
    /// account without a session.
    func register(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try body.email()
        let password = try body.password()
        // The specification names no fields, so both the spelling of its responses and the real
        // server's are accepted.
        func readText(_ snakeCaseName: String, _ camelCaseName: String) throws -> String? {
            try body.text(snakeCaseName) ?? body.text(camelCaseName)
        }
        let first = try readText("first_name", "firstName")
        let last = try readText("last_name", "lastName")
        let phone = try readText("phone_number", "phoneNumber")
        guard let email, let password, let first, let last else {
            throw BobFailure(400, "Email, password, first name and last name are required")
        }
        let address = try EmailAddress(email).orThrow(
            BobFailure(400, "Please enter a valid email address"))
        // The login screen's rule, so that every registered account can sign in.
        guard password.utf16.count >= 6 else {
            throw BobFailure(400, "Password must be at least 6 characters")
        }
        let account = try await createAccount(
            address, password,
            BobProfile(
                firstName: first, lastName: last, phoneNumber: phone,
                role: BobDialect.specification.defaultRole))
        return .json(["user": userJSON(account)], status: 201)
    }

    /// POST /api/auth/refresh.
    func refresh(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let token = try body.text("refresh_token", limit: JSONBody.tokenLimit).orThrow(
            BobFailure.missingRefreshToken)
        let outcome = try await rotate(token, dialect: .specification)
        switch outcome {
        case .unknown: throw BobFailure.invalidRefreshToken
        // The specification has only 401, which leads the app to the login.
        case .rejected(_, .reuseDetected):
            throw BobFailure(401, "Refresh token was used before", .anyRefreshToken)
        case .rejected(_, let ending): throw BobFailure.refreshTokenEnded(ending)
        case .rotated(let session, let account, let refreshToken):
            return .json(try tokensJSON(account, session, refreshToken))
        }
    }

    /// POST /api/auth/logout: ends the token's session, and with it the token. The response body is
    /// empty.
    func logout(_ context: RequestContext) async throws -> Response {
        let claims = try authenticateBearer(context)
        try await write { connection, now in
            guard let id = claims.sessionID,
                let (session, _) = try connection.session(id, in: realm), session.revokedAt == nil
            else { throw BobFailure.invalidAccessToken }
            try connection.revoke(session: session.id, reason: .signedOut, at: now)
        }
        return Response(status: 200)
    }

    /// Leaves `refresh_token` out if there is no new one.
    private func tokensJSON(_ account: Account, _ session: BackendSession, _ refreshToken: String?)
        throws -> JSON
    {
        let dialect = BobDialect.specification
        let lifetime = accessTokens.lifetime(dialect.accessTokenLifetime, of: account)
        return .omittingNil([
            "access_token": .string(try makeAccessToken(account, session, dialect)),
            "refresh_token": refreshToken.map(JSON.string),
            "expires_in": .int(lifetime.components.seconds),
        ])
    }

    private func userJSON(_ account: Account) -> JSON {
        let profile = BobProfile(account)
        let createdAt = JSON.string(account.createdAt.iso8601Seconds)
        return [
            "id": .string(account.id), "email": JSON(account.email),
            "first_name": .string(profile.firstName), "last_name": .string(profile.lastName),
            "role": .string(profile.role), "created_at": createdAt,
            // Nothing changes an account after its creation.
            "updated_at": createdAt,
        ]
    }
}

/// Account operations shared by both dialects.
extension BobContract {
    /// Starts a session. Returns it with its first refresh token.
    func signIn(_ account: Account, _ dialect: BobDialect) async throws -> (
        session: BackendSession, refreshToken: String
    ) {
        guard account.disabledAt == nil else { throw BobFailure.accountInactive }
        guard !isLocked(account) else { throw BobFailure.tooManyLogins }
        let family = makeRefreshFamily(dialect)
        let token = family.makeToken()
        let session = try await write { connection, now in
            try connection.recordLogin(of: account.id, at: now)
            return try family.startSession(
                account, token: token, contractData: dialect.contractData, on: connection, at: now)
        }
        return (session, token)
    }

    func createAccount(_ address: EmailAddress, _ password: String, _ profile: BobProfile)
        async throws -> Account
    {
        let isTaken = try await findAccount(email: address.text) != nil
        guard !isTaken else { throw BobFailure.emailExists }
        let account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            passwordHash: try await services.hasher.hash(password), profile: profile.jsonText,
            createdAt: now)
        let added = try await database.write { connection in try connection.add(account) }
        // Another request registered the same address first.
        guard added else { throw BobFailure.emailExists }
        return account
    }

    func makeAccessToken(_ account: Account, _ session: BackendSession, _ dialect: BobDialect)
        throws -> String
    {
        try signToken(
            [
                "iss": .string(baseURL), "aud": .string(Self.audience(dialect, realm)),
                "sub": .string(account.id), "email": JSON(account.email),
                "role": .string(BobProfile(account).role), "session_id": .string(session.id),
            ], of: account, lifetime: dialect.accessTokenLifetime)
    }

    /// The claims of the request's bearer token, whose audience must be this dialect in this
    /// workspace. The token alone decides until it expires, even if its session has ended.
    func authenticateBearer(_ context: RequestContext) throws -> AccessTokens.Claims {
        let dialect = BobDialect(context.request)
        let failure = BobFailure.invalidAccessToken
        let token = try Bearer(context.request).token.orThrow(failure)
        let claims = try claims(of: token, invalid: failure, expired: failure)
        let isExpectedAudience = claims.audience == Self.audience(dialect, realm)
        CheckTrace.record(.audience, isExpectedAudience, claims.audience ?? "none")
        guard isExpectedAudience else { throw failure }
        return claims
    }

    /// The audience of a token: one dialect in one workspace. It leaves out the host, whose port
    /// may change at a restart.
    private static func audience(_ dialect: BobDialect, _ realm: Realm) -> String {
        "/\(realm.workspace)/\(realm.contract)\(dialect.pathPrefix)"
    }
}

/// The profile data of an account, besides e-mail and password.
struct BobProfile: Sendable, Equatable {
    var firstName: String
    var lastName: String
    var phoneNumber: String?
    var role: String

    /// The profile as stored in an account.
    var jsonText: String {
        let json: JSON = [
            "firstName": .string(firstName), "lastName": .string(lastName),
            "phoneNumber": JSON(phoneNumber), "role": .string(role),
        ]
        return json.description
    }
}

extension BobProfile {
    init(_ account: Account) {
        let json = (try? JSON(parsing: account.profile)) ?? .null
        self.init(
            firstName: json["firstName"]?.string ?? "", lastName: json["lastName"]?.string ?? "",
            phoneNumber: json["phoneNumber"]?.string, role: json["role"]?.string ?? "")
    }
}
