import Backend
import SQLite
import Web

extension ClarityContract {
    /// `accounts:update`: applies a mailed code, or changes the account of an ID token.
    func update(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        if let code = try body.text("oobCode") {
            let account = try await applyVerificationCode(code)
            return .json(.object(accountInfoMembers(account)))
        }
        let token = try body.idToken().orThrow(GoogleFailure.unsupportedParameters)
        guard try body.text("customAttributes") == nil else {
            throw GoogleFailure.insufficientPermission
        }
        let bearer = try await authenticateBearer(token).account
        guard try body.text("disableUser") == nil else { throw GoogleFailure.operationNotAllowed }
        let change = try await readUpdate(body, of: bearer)
        let (account, session, refreshToken) = try await apply(change, to: bearer)
        return .json(
            .object(
                accountInfoMembers(account, newEmail: change.email?.text)
                    + (try tokenMembers(account, session, refreshToken))))
    }

    private func readUpdate(_ body: GoogleBody, of account: Account) async throws
        -> ClarityAccountUpdate
    {
        var change = ClarityAccountUpdate()
        change.displayName = try body.displayName()
        change.photoURL = try body.photoURL()
        if let email = try readEmailAddress(body), email.text != account.email {
            guard !isOn(Self.emailPrivacy) else { throw GoogleFailure.newEmailNotVerified }
            change.email = email
            try await checkEmailAvailable(email)
        }
        if let password = try body.password("password") {
            try Self.check(newPassword: password)
            change.password = password
        }
        // The password provider is the only one, so it cannot be removed.
        guard body.texts("deleteProvider").isEmpty else { throw GoogleFailure.operationNotAllowed }
        for attribute in body.texts("deleteAttribute") {
            switch attribute {
            case "DISPLAY_NAME", "2": change.removesDisplayName = true
            case "PHOTO_URL", "4": change.removesPhotoURL = true
            case "USER_ATTRIBUTE_NAME_UNSPECIFIED", "0": continue
            // Without any other attribute sign-in would be impossible.
            default: throw GoogleFailure.operationNotAllowed
            }
        }
        return change
    }

    private func accountInfoMembers(_ account: Account, newEmail: String? = nil) -> [JSON.Member] {
        let profile = ClarityProfile(account)
        return accountMembers("SetAccountInfoResponse", account) + profileMembers(profile)
            + .omittingNil([
                "newEmail": newEmail.map(JSON.string), "emailVerified": .bool(account.isVerified),
                "providerUserInfo": providerUserInfo(account, profile),
                "passwordHash": .string(Self.redactedPasswordHash),
            ])
    }
}

/// The changes of one `accounts:update` request.
struct ClarityAccountUpdate: Sendable {
    var displayName: String?
    var photoURL: String?
    var removesDisplayName = false
    var removesPhotoURL = false
    var email: EmailAddress?
    /// Already checked against the password rules.
    var password: String?

    /// Whether all sessions and tokens issued before end.
    var endsSessions: Bool { email != nil || password != nil }

    /// Applies the changes inside a write and returns the changed account.
    func apply(
        to account: Account, passwordHash: String?, on connection: Connection, at now: Timestamp
    ) throws -> Account {
        var account = account
        var profile = ClarityProfile(account)
        if let displayName { profile.displayName = displayName }
        if let photoURL { profile.photoURL = photoURL }
        if removesDisplayName { profile.displayName = nil }
        if removesPhotoURL { profile.photoURL = nil }
        if let email, email.text != account.email {
            let owner = try connection.account(email: email.text, in: account.realm)
            guard owner == nil else { throw GoogleFailure.emailExists }
            try connection.setEmail(of: account.id, to: email.text, verifiedAt: nil)
            account.email = email.text
            account.emailVerifiedAt = nil
        }
        if let hash = passwordHash {
            try connection.setPassword(of: account.id, hash: hash)
            account.passwordHash = hash
            profile.passwordUpdatedAt = now.milliseconds
        }
        if endsSessions {
            profile.validSince = now.seconds
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        }
        account.profile = profile.jsonText
        try connection.setProfile(of: account.id, to: account.profile)
        return account
    }
}
