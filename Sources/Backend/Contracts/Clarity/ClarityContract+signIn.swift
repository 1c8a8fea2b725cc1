import Crypto
import SQLite
import Web

extension ClarityContract {
    /// `accounts:signUp`: an account and its first session.
    @Sendable func signUp(_ context: RequestContext) async throws -> Response {
        let realm = try authorizeRequest(context)
        let body = try ClarityGoogleBody(context.request)
        guard try body.text("localId") == nil else {
            throw ClarityGoogleFailure("UNEXPECTED_PARAMETER", "User ID")
        }
        let email = try body.text("email")
        let password = try body.password("password")
        let token = try body.idToken()
        guard email != nil || password != nil || token != nil else {
            // Anonymous accounts are off, as in every new project.
            throw ClarityGoogleFailure.adminOnlyOperation
        }
        guard email != nil else { throw ClarityGoogleFailure.missingEmail }
        guard let password else { throw ClarityGoogleFailure.missingPassword }
        guard isOn(Self.passwordSignIn, realm) else {
            throw ClarityGoogleFailure.operationNotAllowed
        }
        guard let address = try readEmailAddress(body) else {
            throw ClarityGoogleFailure.missingEmail
        }
        let name = try body.displayName()
        let bearer: Account? =
            token == nil ? nil : try await authenticateBearer(token, in: realm).account
        // As `update` does; nobody learns thereby whose address it is.
        if let bearer, bearer.email != address.text, isOn(Self.emailPrivacy, realm) {
            throw ClarityGoogleFailure.newEmailNotVerified
        }
        try await checkEmailAvailable(address, in: realm)
        try Self.check(newPassword: password)
        let joined: (account: Account, session: BackendSession?, token: String)
        if let bearer {
            var change = ClarityAccountUpdate()
            change.email = address
            change.password = password
            joined = try await apply(change, to: bearer)
        } else {
            let new = try await createAccount(address, password, name: name, in: realm)
            joined = (new.account, new.session, new.token)
        }
        var members = accountMembers("SignupNewUserResponse", joined.account)
        if let name = ClarityProfile(joined.account).displayName {
            members.append(.init("displayName", .string(name)))
        }
        members += try tokenMembers(joined.account, joined.session, joined.token)
        return .json(.object(members))
    }

    /// `accounts:signInWithPassword`.
    @Sendable func signIn(_ context: RequestContext) async throws -> Response {
        let realm = try authorizeRequest(context)
        guard isOn(Self.passwordSignIn, realm) else {
            throw ClarityGoogleFailure.passwordLoginDisabled
        }
        let body = try ClarityGoogleBody(context.request)
        guard let address = try readEmailAddress(body) else {
            throw ClarityGoogleFailure.missingEmail
        }
        guard let password = try body.password("password") else {
            throw ClarityGoogleFailure.missingPassword
        }
        let account = try await authenticate(email: address, password: password, in: realm)
        let (session, token) = try await createSession(account)
        var members = accountMembers("VerifyPasswordResponse", account)
        members.insert(.init("registered", true), at: 1)
        members += try tokenMembers(account, session, token)
        return .json(.object(members))
    }

    func accountMembers(_ kind: String, _ account: Account) -> [JSON.Member] {
        [
            .init("kind", .string("identitytoolkit#\(kind)")),
            .init("localId", .string(account.id)), .init("email", JSON(account.email)),
        ]
    }

    /// The account whose password this is.
    ///
    /// Who does not know the password learns nothing: neither that there is
    /// no such account, while addresses are private, nor that it is disabled.
    private func authenticate(
        email address: EmailAddress, password: String, in realm: Realm
    ) async throws
        -> Account
    {
        let limit = Self.failedSignInLimit
        let email = address.text
        func checkAttempts() throws(ClarityGoogleFailure) {
            let end = services.rateLimits.nextAllowedAt(
                limit, of: email, in: realm, at: services.now(in: realm))
            guard end == nil else { throw .tooManyAttempts }
        }
        try checkAttempts()
        let found = try await services.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await services.hasher.verify(password, against: found?.passwordHash)
        guard isRight, let found else {
            // Of many at once only so many are told.
            let end = services.rateLimits.consume(
                limit, of: email, in: realm, at: services.now(in: realm))
            guard end == nil else { throw ClarityGoogleFailure.tooManyAttempts }
            guard !isOn(Self.emailPrivacy, realm) else {
                throw ClarityGoogleFailure.invalidCredentials
            }
            throw found == nil
                ? ClarityGoogleFailure.emailNotFound : ClarityGoogleFailure.invalidPassword
        }
        // Nor does a right guess among them count that came too late.
        try checkAttempts()
        guard !found.isLocked(at: services.now(in: realm)), !services.isAccountLockSimulated else {
            throw ClarityGoogleFailure.tooManyAttempts
        }
        guard found.disabledAt == nil else { throw ClarityGoogleFailure.userDisabled }
        services.rateLimits.clear(limit, of: email, in: realm)
        return found
    }
}
