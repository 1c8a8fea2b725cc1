import SQLite
import Secrets
import Web

extension ClarityContract {
    /// `accounts:signUp`: an account and its first session.
    @Sendable func signUp(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(visit.request)
        guard try body.text("localId") == nil else {
            throw ClarityFailure("UNEXPECTED_PARAMETER", "User ID")
        }
        let email = try body.text("email")
        let password = try body.password("password")
        let token = try body.idToken()
        guard email != nil || password != nil || token != nil else {
            // Anonymous accounts are off, as in every new project.
            throw ClarityFailure.adminOnly
        }
        guard email != nil else { throw ClarityFailure.missingEmail }
        guard let password else { throw ClarityFailure.missingPassword }
        guard isOn(Self.passwordSignIn, realm) else { throw ClarityFailure.signUpOff }
        guard let address = try address(body) else { throw ClarityFailure.missingEmail }
        let name = try body.displayName()
        let bearer: Account? = token == nil ? nil : try await bearer(token, in: realm).account
        // As `update` does; nobody learns thereby whose address it is.
        if let bearer, bearer.email != address.text, isOn(Self.emailPrivacy, realm) {
            throw ClarityFailure.verifyFirst
        }
        try await refuseTaken(address, in: realm)
        try Self.check(newPassword: password)
        let joined: (account: Account, session: Session?, token: String)
        if let bearer {
            var change = ClarityChange()
            change.email = address
            change.password = password
            joined = try await apply(change, to: bearer)
        } else {
            let new = try await join(address, password, name: name, in: realm)
            joined = (new.account, new.session, new.token)
        }
        var members = said("SignupNewUserResponse", joined.account)
        if let name = ClarityPerson(joined.account).displayName {
            members.append(.init("displayName", .string(name)))
        }
        members += try issued(joined.account, joined.session, joined.token)
        return .json(.object(members))
    }

    /// `accounts:signInWithPassword`.
    @Sendable func signIn(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        guard isOn(Self.passwordSignIn, realm) else { throw ClarityFailure.signInOff }
        let body = try ClarityBody(visit.request)
        guard let address = try address(body) else { throw ClarityFailure.missingEmail }
        guard let password = try body.password("password") else {
            throw ClarityFailure.missingPassword
        }
        let account = try await owner(of: address, password, in: realm)
        let (session, token) = try await enter(account)
        var members = said("VerifyPasswordResponse", account)
        members.insert(.init("registered", true), at: 1)
        members += try issued(account, session, token)
        return .json(.object(members))
    }

    func said(_ kind: String, _ account: Account) -> [JSON.Member] {
        [
            .init("kind", .string("identitytoolkit#\(kind)")),
            .init("localId", .string(account.id)), .init("email", JSON(account.email)),
        ]
    }

    /// The account whose password this is.
    ///
    /// Who does not know the password learns nothing: neither that there is
    /// no such account, while addresses are private, nor that it is disabled.
    private func owner(of address: EmailAddress, _ password: String, in realm: Realm) async throws
        -> Account
    {
        let limit = Self.wrongPasswords
        let email = address.text
        func checkAttempts() throws(ClarityFailure) {
            let end = premises.limits.freeAt(
                limit, of: email, in: realm, at: premises.now(in: realm))
            guard end == nil else { throw .tooManyAttempts }
        }
        try checkAttempts()
        let found = try await premises.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await premises.hasher.verify(password, against: found?.passwordHash)
        guard isRight, let found else {
            // Of many at once only so many are told.
            let end = premises.limits.take(limit, of: email, in: realm, at: premises.now(in: realm))
            guard end == nil else { throw ClarityFailure.tooManyAttempts }
            guard !isOn(Self.emailPrivacy, realm) else { throw ClarityFailure.invalidCredentials }
            throw found == nil ? ClarityFailure.emailNotFound : ClarityFailure.invalidPassword
        }
        // Nor does a right guess among them count that came too late.
        try checkAttempts()
        guard !found.isLocked(at: premises.now(in: realm)), !premises.isLockedOut else {
            throw ClarityFailure.tooManyAttempts
        }
        guard found.disabledAt == nil else { throw ClarityFailure.userDisabled }
        premises.limits.clear(limit, of: email, in: realm)
        return found
    }
}
