import Backend
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// `accounts:signUp`: creates an account and its first session, with an address or anonymous.
    /// With an ID token it changes that account instead. An administrator creates an account with
    /// any of its fields and without a session.
    func signUp(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let body = request.body
        guard !request.isPrivileged else { return try await createAccount(request) }
        guard try body.text("localId") == nil else { throw GoogleFailure.unexpectedUserID }
        let email = try body.text("email")
        let password = try body.password("password")
        let token = try body.idToken()
        guard email != nil || password != nil || token != nil else {
            guard !body.has("email") else { throw GoogleFailure.invalidEmail }
            return try await signUpAnonymously(request)
        }
        guard email != nil else { throw GoogleFailure.missingEmail }
        guard let password else { throw GoogleFailure.missingPassword }
        guard isOn(Self.passwordSignIn) else { throw GoogleFailure.operationNotAllowed }
        let address = try readEmailAddress(body).orThrow(GoogleFailure.missingEmail)
        let name = try body.displayName()
        var bearer: TokenUser?
        if token != nil, isOn(Self.emailPrivacy) {
            // Same as in `update`. It does not reveal whether the address is registered.
            let user = try await authenticateBearer(token)
            bearer = user
            guard user.account.email == nil || user.account.email == address.text else {
                throw GoogleFailure.newEmailNotVerified
            }
        }
        try await checkEmailAvailable(address)
        try Self.check(newPassword: password)
        let factors = try body.list("mfaInfo").map { try Self.readFactors($0, areNew: true) }
        if token != nil, bearer == nil { bearer = try await authenticateBearer(token) }
        let signedUp: ClaritySignInResult
        if let bearer {
            var change = ClarityAccountUpdate()
            change.email = address
            change.password = password
            change.displayName = name
            change.factors = factors
            var signIn = ClaritySignIn(projectID: request.projectID)
            signIn.factor = bearer.signIn.factor
            signedUp = try await apply(change, to: bearer.account, signIn: signIn)
        } else {
            let created = try await createAccount(
                address, password, name: name, factors: factors ?? [])
            signedUp = ClaritySignInResult(
                account: created.account, session: created.session, refreshToken: created.token)
        }
        return try signUpResponse(signedUp)
    }

    private func signUpResponse(_ result: ClaritySignInResult) throws -> Response {
        let displayName = ClarityProfile(result.account).displayName
        return .json(
            .object(
                accountMembers("SignupNewUserResponse", result.account)
                    + .omittingNil(["displayName": displayName.map(JSON.string)])
                    + (try tokenMembers(result.account, result.session, result.refreshToken))))
    }

    private func signUpAnonymously(_ request: GoogleRequest) async throws -> Response {
        guard isOn(Self.anonymousSignIn) else { throw GoogleFailure.adminOnlyOperation }
        let signIn = ClaritySignIn(
            ClaritySignIn.anonymousProvider, projectID: request.projectID)
        return try signUpResponse(
            try await write { connection, now in
                let account = Account(
                    id: RandomTokens.uuid(services.world), realm: realm,
                    profile: ClarityProfile().jsonText, createdAt: now, lastLoginAt: now)
                guard try connection.add(account) else { throw GoogleFailure.duplicateLocalID }
                return try startSession(account, signIn, on: connection, at: now)
            })
    }

    /// Creates an account as an administrator.
    private func createAccount(_ request: GoogleRequest) async throws -> Response {
        let body = request.body
        let localID = try readLocalID(body)
        var change = try readAdministratorUpdate(body)
        change.isDisabled = try body.flag("disabled") ? true : nil
        change.isEmailVerified = try body.flag("emailVerified")
        change.factors = try body.list("mfaInfo").map { try Self.readFactors($0, areNew: true) }
        if let token = try body.idToken() {
            guard localID == nil else { throw GoogleFailure.unexpectedUserID }
            let bearer = try await authenticateBearer(token).account
            return try signUpResponse(
                ClaritySignInResult(account: try await apply(change, to: bearer).account))
        }
        let hash = try await hash(change.password)
        let update = change
        let account = try await write { connection, now -> Account in
            if let localID, try connection.account(localID: localID, in: realm) != nil {
                throw GoogleFailure.duplicateLocalID
            }
            let new = try addAccount(localID, on: connection, at: now)
            return try update.apply(
                to: new, passwordHash: hash, on: connection, at: now, world: services.world)
        }
        return try signUpResponse(ClaritySignInResult(account: account))
    }

    /// Adds an account without any means to sign in, inside a write.
    func addAccount(_ localID: String?, on connection: Connection, at now: Timestamp) throws
        -> Account
    {
        let spareID = RandomTokens.uuid(services.world)
        return try connection.addAccount(
            localID: localID ?? spareID, spareID: spareID, at: now
        ) { id in
            Account(
                id: id, realm: realm, profile: ClarityProfile().jsonText, createdAt: now,
                lastLoginAt: now)
        }
    }

    /// The id in a message, of at most 128 characters as Google allows.
    func readLocalID(_ body: GoogleBody) throws -> String? {
        let localID = try body.text("localId")
        guard (localID?.utf16.count ?? 1) <= 128 else { throw GoogleFailure.invalidLocalID }
        return localID
    }

    /// The hash of a new password; nil without one.
    func hash(_ password: String?) async throws -> String? {
        guard let password else { return nil }
        return try await services.hasher.hash(password)
    }

    /// `accounts:signInWithPassword`.
    func signIn(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let body = request.body
        guard isOn(Self.passwordSignIn) else { throw GoogleFailure.passwordLoginDisabled }
        guard body.has("email") else { throw GoogleFailure.missingEmail }
        let address = try readEmailAddress(body).orThrow(GoogleFailure.invalidEmail)
        let password = try body.password("password").orThrow(GoogleFailure.missingPassword)
        let account = try await authenticate(email: address, password: password)
        let result = try await write { connection, now in
            let current = try connection.account(account.id, in: realm)
            guard let current, current.passwordHash == account.passwordHash else {
                throw GoogleFailure.invalidCredentials
            }
            return try completeSignIn(
                current, ClaritySignIn(projectID: request.projectID), on: connection, at: now)
        }
        return .json(
            .object(
                accountMembers("VerifyPasswordResponse", account, isRegistered: true)
                    + (try members(result))))
    }

    func accountMembers(_ kind: String, _ account: Account, isRegistered: Bool? = nil)
        -> [JSON.Member]
    {
        .omittingNil([
            "kind": "identitytoolkit#\(kind)", "registered": isRegistered.map(JSON.bool),
            "localId": .string(account.localID), "email": account.email.map(JSON.string),
        ])
    }

    /// The account with this password.
    ///
    /// While addresses are private, a client without the correct password learns neither that there
    /// is no such account nor that it is disabled.
    private func authenticate(email address: EmailAddress, password: String) async throws -> Account
    {
        let limit = Self.failedSignInLimit
        let email = address.text
        let (found, accepted) = try await authenticate(
            email: email, password: password, limit: limit, of: email,
            failure: GoogleFailure.tooManyAttempts)
        guard let account = accepted else {
            guard !isOn(Self.emailPrivacy) else { throw GoogleFailure.invalidCredentials }
            guard found?.disabledAt == nil else { throw GoogleFailure.userDisabled }
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
        _ address: EmailAddress, _ password: String, name: String?,
        factors: [ClarityFactorDraft] = [], isVerified: Bool = false,
        awaitsVerification: Bool = false
    ) async throws -> (account: Account, session: BackendSession?, token: String) {
        let hash = try await services.hasher.hash(password)
        let now = now
        var profile = ClarityProfile(passwordSetAt: now)
        profile.displayName = name
        let account = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: address.text,
            passwordHash: hash, emailVerifiedAt: isVerified ? now : nil, profile: profile.jsonText,
            createdAt: now, lastLoginAt: awaitsVerification ? nil : now)
        let token = try makeRefreshToken()
        let session = try await database.write { connection -> BackendSession? in
            // Another request may have registered the same address first.
            guard try connection.add(account) else { throw GoogleFailure.emailExists }
            try connection.setFactors(of: account, to: factors, at: now, world: services.world)
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
}
