import Crypto
import FoundationEssentials
import SQLite
import Web

/// What both dialects do with accounts.
extension BobContract {
    /// A sign-in and the first refresh token of its session.
    struct SignIn: Sendable {
        let account: Account
        let session: BackendSession
        let refreshToken: String
    }

    /// The account of these credentials; nil for an unknown address and for a
    /// wrong password alike.
    func authenticate(email: String, password: String, in realm: Realm) async throws -> Account? {
        let address = EmailAddress(email)?.text
        let found = try await services.database.read { connection in
            try address.flatMap { try connection.account(email: $0, in: realm) }
        }
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await services.hasher.verify(password, against: found?.passwordHash)
        return isRight ? found : nil
    }

    func signIn(_ account: Account, _ dialect: BobDialect) async throws -> SignIn {
        guard account.disabledAt == nil else { throw BobFailure.accountInactive }
        let now = services.now(in: account.realm)
        guard !account.isLocked(at: now), !services.isAccountLockSimulated else {
            throw BobFailure.tooManyLogins
        }
        let family = makeRefreshFamily(dialect)
        let token = family.makeToken()
        let session = try await services.database.write { connection in
            try connection.recordLogin(of: account.id, at: now)
            return try family.startSession(
                account, token: token, contractData: dialect.contractData, on: connection, at: now)
        }
        return SignIn(account: account, session: session, refreshToken: token)
    }

    func createAccount(
        _ address: EmailAddress, _ password: String, _ profile: BobProfile, in realm: Realm
    )
        async throws -> Account
    {
        let isTaken = try await services.database.read { connection in
            try connection.account(email: address.text, in: realm) != nil
        }
        guard !isTaken else { throw BobFailure.emailExists }
        let account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            passwordHash: try await services.hasher.hash(password), profile: profile.jsonText,
            createdAt: services.now(in: realm))
        let added = try await services.database.write { connection in try connection.add(account) }
        // Somebody else was quicker with the same address.
        guard added else { throw BobFailure.emailExists }
        return account
    }

    func makeAccessToken(_ account: Account, _ session: BackendSession, _ dialect: BobDialect)
        throws -> String
    {
        let now = services.now(in: account.realm)
        return try accessTokens.sign(
            [
                "iss": .string(services.baseURL(of: account.realm)),
                "aud": .string(Self.audience(dialect, account.realm)),
                "sub": .string(account.id),
                "email": JSON(account.email),
                "role": .string(BobProfile(account).role),
                "session_id": .string(session.id),
                "iat": .int(now.seconds),
                "exp": .int(
                    (now + accessTokens.lifetime(dialect.accessTokenLifetime, of: account))
                        .seconds),
            ], as: .access)
    }

    /// Who a bearer token speaks for, at the door it was given out for; the
    /// token alone decides until it ends, whatever became of its session.
    func authenticateBearer(_ context: RequestContext) throws(BobFailure) -> AccessTokens.Claims {
        let dialect = BobDialect(context.request)
        guard let token = Bearer(context.request).token,
            case .valid(let claims) = accessTokens.validate(
                token, at: services.now(in: realm(context)))
        else { throw .invalidAccessToken }
        let isMeant = claims.audience == Self.audience(dialect, realm(context))
        CheckTrace.record(.audience, isMeant, claims.audience ?? "none named")
        guard isMeant else { throw .invalidAccessToken }
        return claims
    }

    /// Where a token is good: one dialect in one workspace. Without the host,
    /// whose port may be another after a restart.
    private static func audience(_ dialect: BobDialect, _ realm: Realm) -> String {
        "/\(realm.workspace)/\(realm.contract)\(dialect.pathPrefix)"
    }
}
