import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

/// ID tokens, refresh tokens and the Secure Token service.
extension ClarityContract {
    /// The project that ID tokens are issued for, and its number, which a refresh returns.
    static let projectID = "clarity-pulse"
    static let projectNumber = "12345"

    /// The issuer of a project's ID tokens.
    static func issuer(of project: String) -> String { "https://securetoken.google.com/\(project)" }

    /// An ID token of a session.
    ///
    /// It names no session. Sessions of an account that began in the same second are not
    /// distinguished.
    func makeIDToken(_ account: Account, _ session: BackendSession) throws -> String {
        let now = now
        let profile = ClarityProfile(account)
        let signIn = ClaritySignIn(session)
        let localID = JSON.string(account.localID)
        var claims: [JSON.Member] = .omittingNil([
            "name": profile.displayName.map(JSON.string),
            "picture": profile.photoURL.map(JSON.string),
        ])
        let custom = profile.customAttributes.flatMap { try? JSON(parsing: $0) }?.members ?? []
        let hasEmail = account.email != nil
        let reserved: [JSON.Member] = .omittingNil([
            "iss": .string(Self.issuer(of: signIn.projectID)), "aud": .string(signIn.projectID),
            "auth_time": .int(session.createdAt.seconds), "user_id": localID, "sub": localID,
            "iat": .int(now.seconds), "exp": .int((now + tokenLifetime(of: account)).seconds),
            "email": account.email.map(JSON.string),
            "email_verified": hasEmail ? .bool(account.isVerified) : nil,
            "phone_number": account.phone.map(JSON.string),
            "provider_id": signIn.provider == ClaritySignIn.anonymousProvider
                ? .string(signIn.provider) : nil,
            "firebase": .omittingNil([
                "identities": identityClaims(account), "sign_in_provider": .string(signIn.provider),
                "sign_in_attributes": signIn.attributes,
                "second_factor_identifier": (signIn.factor?.id).map(JSON.string),
                "sign_in_second_factor": (signIn.factor?.kind).map(JSON.string),
            ]),
        ])
        for member in custom + signIn.claims + reserved {
            claims.removeAll { $0.name == member.name }
            claims.append(member)
        }
        return try sign(.object(claims))
    }

    /// The account's ids at its providers.
    private func identityClaims(_ account: Account) -> JSON {
        var identities: [JSON.Member] = []
        if let email = account.email { identities.append(.init("email", [.string(email)])) }
        for identity in account.providerIdentities {
            identities.append(.init(identity.provider, [.string(identity.subject)]))
        }
        if let phone = account.phone { identities.append(.init("phone", [.string(phone)])) }
        return .object(identities)
    }

    /// A signed token; an unsigned one, as the emulator's, if the workspace asks for it.
    func sign(_ claims: JSON) throws -> String {
        guard isOn(Self.unsignedTokens) else { return try accessTokens.sign(claims, as: .access) }
        let header = JSON.object([.init("alg", "none"), .init("typ", "JWT")])
        return "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))."
    }

    func tokenLifetimeSeconds(of account: Account) -> Int64 {
        tokenLifetime(of: account).components.seconds
    }

    func tokenLifetime(of account: Account) -> Duration {
        accessTokens.lifetime(Self.idTokenLifetime, of: account)
    }

    /// The user of an ID token.
    struct TokenUser: Sendable {
        let account: Account
        let claims: AccessTokens.Claims
        /// All claims.
        let payload: JSON

        /// How the token's session began.
        var signIn: ClaritySignIn { ClaritySignIn(tokenClaims: payload) }
    }

    /// The account and the claims of an ID token.
    func authenticateBearer(_ token: String?) async throws -> TokenUser {
        let token = try token.orThrow(GoogleFailure.missingIDToken)
        let decoded = Token(decoding: token)
        let claims = try readClaims(token, decoded)
        let payload = (try? JSON(parsing: decoded.claims ?? "")) ?? .null
        let isExpectedIssuer =
            decoded.issuer == claims.audience.map { Self.issuer(of: $0) } && decoded.issuer != nil
        CheckTrace.record(.issuer, isExpectedIssuer, decoded.issuer ?? "none")
        guard isExpectedIssuer else { throw GoogleFailure.invalidIDToken }
        let account = try await database.read { connection in
            try connection.account(localID: claims.subject, in: realm)
        }.orThrow(GoogleFailure.userNotFound)
        let validSince = ClarityProfile(account).validSince ?? 0
        guard (decoded.issuedAt ?? 0) >= validSince else { throw GoogleFailure.tokenExpired }
        guard account.disabledAt == nil else { throw GoogleFailure.userDisabled }
        return TokenUser(account: account, claims: claims, payload: payload)
    }

    /// The claims of a token signed here, or of an unsigned one where those are issued.
    private func readClaims(_ token: String, _ decoded: Token) throws -> AccessTokens.Claims {
        guard isOn(Self.unsignedTokens), decoded.algorithm == "none",
            token.hasSuffix("."), let text = decoded.claims,
            let claims = (try? JSON(parsing: text)).flatMap(AccessTokens.parseClaims)
        else {
            return try self.claims(
                of: token, invalid: GoogleFailure.invalidIDToken,
                expired: GoogleFailure.tokenExpired)
        }
        guard now.seconds < (decoded.expiresAt ?? 0) else { throw GoogleFailure.tokenExpired }
        return claims
    }

    /// The token members of every sign-in response. Empty without a session.
    func tokenMembers(_ account: Account, _ session: BackendSession?, _ refreshToken: String) throws
        -> [JSON.Member]
    {
        guard let session else { return [] }
        return [
            .init("idToken", .string(try makeIDToken(account, session))),
            .init("refreshToken", .string(refreshToken)),
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
        // Secure Token knows no administrators and ignores a bearer token.
        try checkAPIKey(context)
        let body = try GoogleBody(formOrJSON: context.request)
        let grantType = try body.text("grantType").orThrow(GoogleFailure.missingGrantType)
        guard grantType == "refresh_token" else { throw GoogleFailure.invalidGrantType }
        let refreshToken = try body.text("refreshToken").orThrow(GoogleFailure.missingRefreshToken)
        let (session, account) = try await redeemRefreshToken(refreshToken)
        let token = try makeIDToken(account, session)
        return .json([
            "access_token": .string(token),
            "expires_in": .string(String(tokenLifetimeSeconds(of: account))),
            "token_type": "Bearer", "refresh_token": .string(refreshToken),
            "id_token": .string(token), "user_id": .string(account.localID),
            "project_id": .string(Self.projectNumber),
        ])
    }

    /// The active session of a refresh token, with its account. Records the refresh.
    func redeemRefreshToken(_ refreshToken: String) async throws -> (
        session: BackendSession, account: Account
    ) {
        let digest = Digest.sha256(refreshToken)
        let found = try await write { connection, now in
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
        // A change of password or address, or an administrator, ended it.
        guard session.revokedAt == nil,
            session.createdAt.seconds >= ClarityProfile(account).validSince ?? 0
        else { throw GoogleFailure.tokenExpired }
        return (session, account)
    }

    /// The certificates by key id, as Google publishes them.
    func certificates(_ context: RequestContext) async throws -> Response {
        let key = accessTokens.keyring.key(.access)
        let now = Int(now.seconds)
        let day = 86_400
        let certificate = try key.makeCertificate(
            of: "securetoken.system.gserviceaccount.com", from: now - day, until: now + 30 * day)
        return .json(
            .object([.init(key.keyID, JSON(certificate))]),
            headers: ["Cache-Control": "public, max-age=600"])
    }
}

/// Accounts by the id that clients know.
///
/// An administrator or a custom token may choose it. It is then the account's own id, except where
/// an account of another workspace has that id: then it is an identity of the account.
extension Account {
    fileprivate static let localIDProvider = "localId"

    /// The id that clients know.
    var localID: String {
        identities.first { $0.provider == Self.localIDProvider }?.subject ?? id
    }

    /// The identities at sign-in providers.
    var providerIdentities: [Identity] {
        identities.filter { $0.provider != Self.localIDProvider }
    }
}

extension Connection {
    /// The account with the id that clients know.
    func account(localID: String, in realm: Realm) throws -> Account? {
        if let found = try account(
            provider: Account.localIDProvider, subject: localID, in: realm)
        {
            return found
        }
        // Where another id is known to clients, the account's own is not.
        return try account(localID, in: realm).flatMap { $0.localID == localID ? $0 : nil }
    }

    /// Adds a new account that clients know by `localID`. `make` gets the id it has here. Its
    /// address and number are not taken.
    func addAccount(
        localID: String, spareID: String, at now: Timestamp, _ make: (String) -> Account
    ) throws -> Account {
        if try add(make(localID)) { return make(localID) }
        let account = make(spareID)
        guard try add(account),
            try save(
                Identity(
                    id: spareID, provider: Account.localIDProvider, subject: localID, data: "{}",
                    createdAt: now), of: account)
        else { throw GoogleFailure.duplicateLocalID }
        return try self.account(account.id, in: account.realm) ?? account
    }
}
