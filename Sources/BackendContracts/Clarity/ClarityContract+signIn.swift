import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// `accounts:signUp`: creates an account and its first session. With an ID token it changes
    /// that account instead.
    func signUp(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        guard try body.text("localId") == nil else {
            throw GoogleFailure("UNEXPECTED_PARAMETER", "User ID")
        }
        let email = try body.text("email")
        let password = try body.password("password")
        let token = try body.idToken()
        guard email != nil || password != nil || token != nil else {
            // Anonymous accounts are disabled, as in every new project.
            throw GoogleFailure.adminOnlyOperation
        }
        guard email != nil else { throw GoogleFailure.missingEmail }
        guard let password else { throw GoogleFailure.missingPassword }
        guard isOn(Self.passwordSignIn) else { throw GoogleFailure.operationNotAllowed }
        let address = try readEmailAddress(body).orThrow(GoogleFailure.missingEmail)
        let name = try body.displayName()
        let bearer: Account? = token == nil ? nil : try await authenticateBearer(token).account
        // Same as in `update`. It does not reveal whether the address is registered.
        if let bearer, bearer.email != address.text, isOn(Self.emailPrivacy) {
            throw GoogleFailure.newEmailNotVerified
        }
        try await checkEmailAvailable(address)
        try Self.check(newPassword: password)
        let signedUp: (account: Account, session: BackendSession?, token: String)
        if let bearer {
            var change = ClarityAccountUpdate()
            change.email = address
            change.password = password
            signedUp = try await apply(change, to: bearer)
        } else {
            let created = try await createAccount(address, password, name: name)
            signedUp = (created.account, created.session, created.token)
        }
        let displayName = ClarityProfile(signedUp.account).displayName
        return .json(
            .object(
                accountMembers("SignupNewUserResponse", signedUp.account)
                    + .omittingNil(["displayName": displayName.map(JSON.string)])
                    + (try tokenMembers(signedUp.account, signedUp.session, signedUp.token))))
    }

    /// `accounts:signInWithPassword`.
    func signIn(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        guard isOn(Self.passwordSignIn) else { throw GoogleFailure.passwordLoginDisabled }
        let body = try GoogleBody(context.request)
        let address = try readEmailAddress(body).orThrow(GoogleFailure.missingEmail)
        let password = try body.password("password").orThrow(GoogleFailure.missingPassword)
        let account = try await authenticate(email: address, password: password)
        let (session, token) = try await createSession(account)
        return .json(
            .object(
                accountMembers("VerifyPasswordResponse", account, isRegistered: true)
                    + (try tokenMembers(account, session, token))))
    }

    func accountMembers(_ kind: String, _ account: Account, isRegistered: Bool? = nil)
        -> [JSON.Member]
    {
        .omittingNil([
            "kind": "identitytoolkit#\(kind)", "registered": isRegistered.map(JSON.bool),
            "localId": .string(account.id), "email": JSON(account.email),
        ])
    }

    /// The account with this password.
    ///
    /// Without the correct password a client learns neither that there is no such account, while
    /// addresses are private, nor that the account is disabled.
    private func authenticate(email address: EmailAddress, password: String) async throws -> Account
    {
        let limit = Self.failedSignInLimit
        let email = address.text
        let (found, accepted) = try await authenticate(
            email: email, password: password, limit: limit, of: email,
            failure: GoogleFailure.tooManyAttempts)
        guard let account = accepted else {
            guard !isOn(Self.emailPrivacy) else { throw GoogleFailure.invalidCredentials }
            throw found == nil ? GoogleFailure.emailNotFound : GoogleFailure.invalidPassword
        }
        guard !isLocked(account) else { throw GoogleFailure.tooManyAttempts }
        guard account.disabledAt == nil else { throw GoogleFailure.userDisabled }
        services.rateLimits.clear(limit, of: email, in: realm)
        return account
    }

    // MARK: Account and session operations shared by all of Clarity's servers

    func checkEmailAvailable(_ address: EmailAddress) async throws {
        let isTaken = try await findAccount(email: address.text) != nil
        guard !isTaken else { throw GoogleFailure.emailExists }
    }

    /// Creates an account and, unless it awaits verification, signs it in. `password` is already
    /// checked.
    func createAccount(
        _ address: EmailAddress, _ password: String, name: String?, awaitsVerification: Bool = false
    ) async throws -> (account: Account, session: BackendSession?, token: String) {
        let hash = try await services.hasher.hash(password)
        let now = now
        var profile = ClarityProfile(passwordSetAt: now)
        profile.displayName = name
        let account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            passwordHash: hash, profile: profile.jsonText, createdAt: now,
            lastLoginAt: awaitsVerification ? nil : now)
        let token = try makeRefreshToken()
        let session = try await database.write { connection -> BackendSession? in
            // Another request may have registered the same address first.
            guard try connection.add(account) else { throw GoogleFailure.emailExists }
            return awaitsVerification
                ? nil
                : try refreshFamily.startSession(account, token: token, on: connection, at: now)
        }
        return (account, session, token)
    }

    /// Starts a session for an account whose password was verified.
    func createSession(_ account: Account) async throws -> (session: BackendSession, token: String)
    {
        let token = try makeRefreshToken()
        let session = try await startSession(
            account, token: token, of: refreshFamily, failure: GoogleFailure.invalidCredentials)
        return (session, token)
    }

    /// Applies all of `change`. If that ends the existing sessions, a new one begins.
    ///
    /// `account` is as it was when its token was validated. If its password, address or disabled
    /// state has changed since, nothing is applied and `tokenExpired` is thrown.
    func apply(_ change: ClarityAccountUpdate, to account: Account) async throws -> (
        account: Account, session: BackendSession?, token: String
    ) {
        let hash: String?
        if let password = change.password {
            hash = try await services.hasher.hash(password)
        } else {
            hash = nil
        }
        let token = try makeRefreshToken()
        return try await write { connection, now in
            let current = try connection.account(account.id, in: realm).orThrow(
                GoogleFailure.userNotFound)
            guard current.passwordHash == account.passwordHash, current.email == account.email,
                current.disabledAt == account.disabledAt
            else { throw GoogleFailure.tokenExpired }
            let changed = try change.apply(to: current, passwordHash: hash, on: connection, at: now)
            let session =
                change.endsSessions
                ? try refreshFamily.startSession(changed, token: token, on: connection, at: now)
                : nil
            return (changed, session, token)
        }
    }

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
        // A change of password or address ended it.
        guard session.revokedAt == nil else { throw GoogleFailure.tokenExpired }
        return (session, account)
    }
}
