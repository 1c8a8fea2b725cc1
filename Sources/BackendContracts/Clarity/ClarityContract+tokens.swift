import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// The project that ID tokens are issued for, and its number, which a refresh returns.
    static let projectID = "clarity-pulse"
    static let projectNumber = "12345"

    static let issuer = "https://securetoken.google.com/\(projectID)"

    /// An ID token of a session begun at `signedInAt`.
    ///
    /// It names no session. Sessions of an account that began in the same second are not
    /// distinguished.
    func makeIDToken(_ account: Account, _ profile: ClarityProfile, signedInAt: Timestamp) throws
        -> String
    {
        let now = now
        let email = JSON(account.email)
        return try accessTokens.sign(
            .omittingNil([
                "name": profile.displayName.map(JSON.string), "iss": .string(Self.issuer),
                "aud": .string(Self.projectID), "auth_time": .int(signedInAt.seconds),
                "user_id": .string(account.id), "sub": .string(account.id),
                "iat": .int(now.seconds), "exp": .int((now + tokenLifetime(of: account)).seconds),
                "email": email, "email_verified": .bool(account.isVerified),
                "firebase": ["identities": ["email": [email]], "sign_in_provider": "password"],
                "picture": profile.photoURL.map(JSON.string),
            ]), as: .access)
    }

    func tokenLifetimeSeconds(of account: Account) -> Int64 {
        tokenLifetime(of: account).components.seconds
    }

    func tokenLifetime(of account: Account) -> Duration {
        accessTokens.lifetime(Self.idTokenLifetime, of: account)
    }

    /// The account and the claims of an ID token.
    func authenticateBearer(_ token: String?) async throws -> (
        account: Account, claims: AccessTokens.Claims
    ) {
        let token = try token.orThrow(GoogleFailure.missingIDToken)
        let claims = try claims(
            of: token, invalid: GoogleFailure.invalidIDToken, expired: GoogleFailure.tokenExpired)
        let decoded = Token(decoding: token)
        let isExpectedIssuer = decoded.issuer == Self.issuer
        CheckTrace.record(.issuer, isExpectedIssuer, decoded.issuer ?? "none")
        guard isExpectedIssuer else { throw GoogleFailure.invalidIDToken }
        let account = try await findAccount(claims.subject).orThrow(GoogleFailure.userNotFound)
        let validSince = ClarityProfile(account).validSince ?? 0
        guard (decoded.issuedAt ?? 0) >= validSince else { throw GoogleFailure.tokenExpired }
        guard account.disabledAt == nil else { throw GoogleFailure.userDisabled }
        return (account, claims)
    }

    /// The token members of every sign-in response. Empty without a session.
    func tokenMembers(_ account: Account, _ session: BackendSession?, _ refreshToken: String) throws
        -> [JSON.Member]
    {
        guard let session else { return [] }
        let token = try makeIDToken(account, ClarityProfile(account), signedInAt: session.createdAt)
        return [
            .init("idToken", .string(token)), .init("refreshToken", .string(refreshToken)),
            // A text, because the iOS SDK ignores a number.
            .init("expiresIn", .string(String(tokenLifetimeSeconds(of: account)))),
        ]
    }

    /// A new refresh token. It ends with an authentication tag, so that a token whose account was
    /// deleted can be distinguished from one that was never issued.
    func makeRefreshToken() throws -> String {
        let secret = RandomTokens.secret(services.world)
        return "rt_\(secret)\(try authenticationTag(secret))"
    }

    func isIssuedHere(refreshToken: String) throws -> Bool {
        let payload = refreshToken.dropFirst(3)
        let secret = String(payload.dropLast(Self.tagLength))
        let expectedTag = try authenticationTag(secret)
        return refreshToken.hasPrefix("rt_")
            && ConstantTime.areEqual(String(payload.suffix(Self.tagLength)), expectedTag)
    }

    private static let tagLength = 22

    private func authenticationTag(_ secret: String) throws -> String {
        String(try accessTokens.keyring.digest("refresh token \(secret)").prefix(Self.tagLength))
    }

    /// Secure Token's `token` method, as a form or as JSON: issues another ID token. The refresh
    /// token stays the same.
    func refresh(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(formOrJSON: context.request)
        let grantType = try body.text("grantType").orThrow(GoogleFailure.missingGrantType)
        guard grantType == "refresh_token" else { throw GoogleFailure.invalidGrantType }
        let refreshToken = try body.text("refreshToken").orThrow(GoogleFailure.missingRefreshToken)
        let (session, account) = try await redeemRefreshToken(refreshToken)
        let token = try makeIDToken(account, ClarityProfile(account), signedInAt: session.createdAt)
        return .json([
            "access_token": .string(token),
            "expires_in": .string(String(tokenLifetimeSeconds(of: account))),
            "token_type": "Bearer", "refresh_token": .string(refreshToken),
            "id_token": .string(token), "user_id": .string(account.id),
            "project_id": .string(Self.projectNumber),
        ])
    }

    /// The active session of a refresh token, with its account. Records the refresh.
    func redeemRefreshToken(_ refreshToken: String) async throws -> (
        session: BackendSession, account: Account
    ) {
        let digest = Digest.sha256(refreshToken)
        let now = now
        let found = try await database.write { connection in
            let found = try connection.session(ofRefreshToken: digest, in: realm)
            if let found, found.session.revokedAt == nil, found.account.disabledAt == nil {
                try connection.recordRefresh(of: found.session.id, at: now)
            }
            return found.map { ($0.session, $0.account) }
        }
        guard let (session, account) = found else {
            throw try isIssuedHere(refreshToken: refreshToken)
                ? GoogleFailure.userNotFound : GoogleFailure.invalidRefreshToken
        }
        guard account.disabledAt == nil else { throw GoogleFailure.userDisabled }
        // A change of password or address ended it.
        guard session.revokedAt == nil else { throw GoogleFailure.tokenExpired }
        return (session, account)
    }
}
