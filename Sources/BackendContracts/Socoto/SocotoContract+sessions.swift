import Backend
import Crypto
import SQLite
import Web

/// Sessions, as created by every sign-in method.
extension SocotoContract {
    /// The result of a sign-in, as returned to the client.
    struct SignIn: Sendable {
        var account: Account
        var user: SocotoUser
        var session: BackendSession
        var refreshToken: String
    }

    /// Signs `account` in, inside a write.
    func signIn(
        _ account: Account, _ user: SocotoUser, by method: SignInRecord.Method,
        on connection: Connection, at now: Timestamp
    ) throws -> SignIn {
        var account = account
        var user = user
        account.lastLoginAt = now
        user.updatedAt = now
        try connection.recordLogin(of: account.id, at: now)
        try connection.save(user, of: account)
        let (session, token) = try refreshTokens.startSession(
            account, contractData: SignInRecord(method, at: now).contractData, on: connection,
            at: now)
        return SignIn(account: account, user: user, session: session, refreshToken: token)
    }

    /// The server's Session object, with further `members`.
    func sessionJSON(_ grant: SignIn, adding members: [JSON.Member]) throws -> JSON {
        guard case .object(let session) = try sessionJSON(grant) else {
            preconditionFailure("a session is an object")
        }
        return .object(session + members)
    }

    /// The server's Session object.
    func sessionJSON(_ grant: SignIn) throws -> JSON {
        let now = now
        let lifetime = accessTokens.lifetime(Self.accessTokenLifetime, of: grant.account)
        return [
            "access_token": .string(try makeAccessToken(grant, at: now)), "token_type": "bearer",
            "expires_in": .int(lifetime.components.seconds),
            "expires_at": .int((now + lifetime).seconds),
            "refresh_token": .string(grant.refreshToken),
            "user": grant.user.userObject(grant.account),
        ]
    }

    func makeAccessToken(_ grant: SignIn, at now: Timestamp) throws -> String {
        let account = grant.account
        let record = SignInRecord(grant.session)
        return try accessTokens.sign(
            [
                "iss": .string(issuer), "sub": .string(account.id), "aud": "authenticated",
                "exp": .int(
                    (now + accessTokens.lifetime(Self.accessTokenLifetime, of: account)).seconds),
                "iat": .int(now.seconds), "email": .string(account.email ?? ""),
                "phone": .string(account.goTruePhone),
                "app_metadata": grant.user.appMetadataObject(account),
                "user_metadata": .object(grant.user.metadata), "role": .string(grant.user.role),
                "aal": record.aalClaim, "amr": record.amrClaim,
                "session_id": .string(grant.session.id),
                "is_anonymous": .bool(account.isAnonymous),
            ], as: .access)
    }

    /// The auth server's base URL, as clients use it.
    var issuer: String { rootURL + "/auth/v1" }

    /// Whether an administrator has disabled or locked the account.
    func isBanned(_ account: Account) -> Bool {
        account.disabledAt != nil || account.lockedUntil.map { now < $0 } ?? false
    }

    // MARK: Bearer authentication for endpoints that require a signed-in user

    /// The current account and session of the bearer token.
    func authenticateBearer(_ context: RequestContext) async throws -> (
        account: Account, session: BackendSession
    ) {
        guard let token = Bearer(context.request).token else { throw GoTrueFailure.noAuthorization }
        let claims = try readToken(token, at: now)
        return try await database.read { connection in
            try requireActive(claims.subject, claims.sessionID, on: connection)
        }
    }

    /// The account with this active session, inside a read or a write.
    func requireActive(_ account: String, _ session: String?, on connection: Connection) throws -> (
        account: Account, session: BackendSession
    ) {
        let found = try connection.account(account, in: realm)
        let session = try session.flatMap { try connection.session($0, in: realm)?.session }
        guard let account = found else { throw GoTrueFailure.userNotFound }
        guard !isBanned(account) else { throw GoTrueFailure.bearerUserBanned }
        guard let session, session.revokedAt == nil, session.accountID == account.id else {
            throw GoTrueFailure.sessionNotFound
        }
        return (account, session)
    }

    private func readToken(_ token: String, at now: Timestamp) throws(GoTrueFailure)
        -> AccessTokens.Claims
    {
        switch accessTokens.validate(token, at: now) {
        case .valid(let claims): return claims
        case .expired: throw .invalidJWT("token has invalid claims: token is expired")
        case .invalid: break
        }
        guard Token(decoding: token).isJWT else {
            throw .invalidJWT("token is malformed: token contains an invalid number of segments")
        }
        // The project's own API keys belong to no user.
        if case .verified = accessTokens.keyring.verifySignature(token).status {
            throw .missingSubject
        }
        throw .invalidJWT("token signature is invalid: signature is invalid")
    }

    /// POST /signup.
    func signUp(_ context: RequestContext) async throws -> Response {
        guard isOn(Self.signups) else { throw GoTrueFailure.signupsDisabled }
        let request = try SignUpRequest(context)
        let requiresConfirmation = isOn(Self.confirmEmail)
        let existing = try await findAccount(email: request.email)
        if let existing, existing.emailVerifiedAt != nil {
            return try await respondToTakenEmail(request, requiresConfirmation)
        }
        let now = now
        let account = try await findOrCreateAccount(existing, request, at: now)
        guard requiresConfirmation else {
            return .plainJSON(
                try sessionJSON(try await confirmAndSignIn(account, at: now)))
        }
        let mail = try makeMail(
            .signup, to: request.email, account: account, context, request.challenge)
        let user = try await sendAndRecord(mail, to: account, request.challenge) {
            $0.confirmationSentAt = now
        }
        return .plainJSON(user.userObject(account))
    }

    /// The validated parameters of a sign-up.
    fileprivate struct SignUpRequest: Sendable {
        let email: String
        let password: String
        let metadata: [JSON.Member]
        let challenge: PKCEChallenge?

        /// Validates in the real server's order: the password before the address.
        init(_ context: RequestContext) throws(GoTrueFailure) {
            let body = try GoTrueBody(context.request, as: "SignupParams")
            let address = try body.text("email")
            let phone = try body.text("phone")
            guard !address.isEmpty || !phone.isEmpty else { throw .anonymousSignInsDisabled }
            password = try body.text("password")
            guard !password.isEmpty else { throw .invalid("Signup requires a valid password") }
            try PasswordPolicy.check(password)
            guard address.isEmpty || phone.isEmpty else {
                throw .invalid(
                    "Only an email address or phone number should be provided on signup.")
            }
            challenge = try PKCEChallenge(body)
            guard phone.isEmpty else { throw .phoneSignupsDisabled }
            email = try GoTrueEmailAddress.parse(address)
            metadata = try body.object("data") ?? []
            try SocotoUser.checkSize(metadata)
        }
    }

    /// Responds to a sign-up with a confirmed address. It fails openly only if sign-ups need no
    /// confirmation. Otherwise the response is a decoy user.
    private func respondToTakenEmail(_ request: SignUpRequest, _ requiresConfirmation: Bool)
        async throws -> Response
    {
        // Hashing takes as long as creating an account does, so that timing reveals nothing.
        _ = try await services.hasher.hash(request.password)
        guard requiresConfirmation else { throw GoTrueFailure.userExists }
        let now = now
        try await recordUnsentMail(to: request.email, for: .verify, .alreadyVerified)
        return .plainJSON(
            SocotoUser.decoyUserObject(
                id: RandomTokens.uuid(services.world), email: request.email,
                metadata: request.metadata, at: now))
    }

    /// Returns an existing account unchanged, because its address is not confirmed yet, or creates
    /// one.
    private func findOrCreateAccount(
        _ existing: Account?, _ request: SignUpRequest, at now: Timestamp
    ) async throws -> Account {
        let hash = try await services.hasher.hash(request.password)
        if let existing { return existing }
        let user = SocotoUser(
            emailIdentityID: RandomTokens.uuid(services.world), metadata: request.metadata, at: now)
        var newAccount = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: request.email,
            passwordHash: hash, createdAt: now)
        newAccount.profile = user.jsonText
        let account = newAccount
        return try await database.write { connection in
            if try add(account, on: connection) { return account }
            // Another request registered the same address first.
            let other = try connection.account(email: request.email, in: realm).orThrow(
                GoTrueFailure.userExists)
            return other
        }
    }

    /// Confirms the address without a mail and signs in.
    private func confirmAndSignIn(_ account: Account, at now: Timestamp) async throws -> SignIn {
        try await database.write { connection in
            let current = try connection.account(account.id, in: realm).orThrow(
                GoTrueFailure.userExists)
            let (account, user) = try Self.confirm(current, on: connection, at: now)
            return try signIn(account, user, by: .password, on: connection, at: now)
        }
    }

    /// Marks the account's address as confirmed.
    static func confirm(_ account: Account, on connection: Connection, at now: Timestamp) throws
        -> (Account, SocotoUser)
    {
        var account = account
        var user = SocotoUser(account)
        guard account.emailVerifiedAt == nil else { return (account, user) }
        account.emailVerifiedAt = now
        user.merge([.init("email_verified", true)])
        user.updatedAt = now
        try connection.verifyEmail(of: account.id, at: now)
        try connection.save(user, of: account)
        return (account, user)
    }
}
