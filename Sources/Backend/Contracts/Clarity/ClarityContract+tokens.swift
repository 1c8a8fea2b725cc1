import Crypto
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// The project ID tokens are for, and its number, which refreshing tells.
    static let projectID = "clarity-pulse"
    static let projectNumber = "12345"

    static let issuer = "https://securetoken.google.com/\(projectID)"

    /// An ID token of a session begun at `signedInAt`, for an hour from now.
    ///
    /// It names no session: whoever signed in then is the same.
    func makeIDToken(_ account: Account, _ person: ClarityProfile, signedInAt: Timestamp) throws
        -> String
    {
        let now = services.now(in: account.realm)
        let email = JSON(account.email)
        var claims: [JSON.Member] = [
            .init("iss", .string(Self.issuer)),
            .init("aud", .string(Self.projectID)),
            .init("auth_time", .int(signedInAt.seconds)),
            .init("user_id", .string(account.id)),
            .init("sub", .string(account.id)),
            .init("iat", .int(now.seconds)),
            .init("exp", .int((now + tokenLifetime(of: account)).seconds)),
            .init("email", email),
            .init("email_verified", .bool(account.isVerified)),
            .init("firebase", ["identities": ["email": [email]], "sign_in_provider": "password"]),
        ]
        if let name = person.displayName { claims.insert(.init("name", .string(name)), at: 0) }
        if let photo = person.photoURL { claims.append(.init("picture", .string(photo))) }
        return try accessTokens.sign(.object(claims), as: .access)
    }

    /// How long `account`'s tokens are good for, in seconds.
    func tokenLifetimeSeconds(of account: Account) -> Int64 {
        tokenLifetime(of: account).components.seconds
    }

    func tokenLifetime(of account: Account) -> Duration {
        accessTokens.lifetime(Self.idTokenLifetime, of: account)
    }

    /// Who an ID token speaks for.
    func authenticateBearer(_ token: String?, in realm: Realm) async throws -> (
        account: Account, claims: AccessTokens.Claims
    ) {
        guard let token else { throw ClarityGoogleFailure.missingIDToken }
        let claims: AccessTokens.Claims
        switch accessTokens.validate(token, at: services.now(in: realm)) {
        case .invalid: throw ClarityGoogleFailure.invalidIDToken
        case .expired: throw ClarityGoogleFailure.tokenExpired
        case .valid(let read): claims = read
        }
        let decoded = Token(decoding: token)
        let isOurs = decoded.issuer == Self.issuer
        CheckTrace.record(.issuer, isOurs, decoded.issuer ?? "none named")
        guard isOurs else { throw ClarityGoogleFailure.invalidIDToken }
        let account = try await services.database.read { connection in
            try connection.account(claims.subject, in: realm)
        }
        guard let account else { throw ClarityGoogleFailure.userNotFound }
        let since = ClarityProfile(account).validSince ?? 0
        guard (decoded.issuedAt ?? 0) >= since else { throw ClarityGoogleFailure.tokenExpired }
        guard account.disabledAt == nil else { throw ClarityGoogleFailure.userDisabled }
        return (account, claims)
    }

    /// Begins a session inside a write; tokens of it are for afterwards.
    func startSession(
        _ account: Account, token: String, on connection: Connection, at now: Timestamp
    ) throws
        -> BackendSession
    {
        try RefreshFamily(world: services.world).startSession(
            account, token: token, on: connection, at: now)
    }

    /// What every sign-in answers besides who it was; nothing without one.
    func tokenMembers(_ account: Account, _ session: BackendSession?, _ refreshToken: String) throws
        -> [JSON
        .Member]
    {
        guard let session else { return [] }
        let token = try makeIDToken(account, ClarityProfile(account), signedInAt: session.createdAt)
        return [
            .init("idToken", .string(token)), .init("refreshToken", .string(refreshToken)),
            // A text: the iOS SDK passes a number over.
            .init("expiresIn", .string(String(tokenLifetimeSeconds(of: account)))),
        ]
    }

    /// A fresh refresh token. Its end is a mark only we can make, so that one
    /// whose account is gone is told from one that never was.
    func makeRefreshToken() throws -> String {
        let secret = RandomTokens.secret(services.world)
        return "rt_\(secret)\(try authenticationTag(secret))"
    }

    func isIssuedHere(refreshToken: String) throws -> Bool {
        let rest = refreshToken.dropFirst(3)
        let secret = String(rest.dropLast(Self.tagLength))
        let mark = try authenticationTag(secret)
        return refreshToken.hasPrefix("rt_")
            && Digest.constantTimeEquals(String(rest.suffix(Self.tagLength)), mark)
    }

    private static let tagLength = 22

    private func authenticationTag(_ secret: String) throws -> String {
        String(try accessTokens.keyring.digest("refresh token \(secret)").prefix(Self.tagLength))
    }
}
