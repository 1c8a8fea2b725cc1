import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

/// Account operations shared by both dialects.
extension BobContract {
    /// Starts a session. Returns it with its first refresh token.
    func signIn(_ account: Account, _ dialect: BobDialect) async throws -> (
        session: BackendSession, refreshToken: String
    ) {
        guard account.disabledAt == nil else { throw BobFailure.accountInactive }
        let now = now
        guard !isLocked(account) else { throw BobFailure.tooManyLogins }
        let family = makeRefreshFamily(dialect)
        let token = family.makeToken()
        let session = try await database.write { connection in
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

    package init(firstName: String, lastName: String, phoneNumber: String?, role: String) {
        self.firstName = firstName
        self.lastName = lastName
        self.phoneNumber = phoneNumber
        self.role = role
    }

    init(_ account: Account) {
        let json = (try? JSON(parsing: account.profile)) ?? .null
        firstName = json["firstName"]?.string ?? ""
        lastName = json["lastName"]?.string ?? ""
        phoneNumber = json["phoneNumber"]?.string
        role = json["role"]?.string ?? ""
    }
}
