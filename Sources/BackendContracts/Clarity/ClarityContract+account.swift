import Backend
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// `accounts:lookup`: the user of an ID token.
    func lookup(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        let account = try await authenticateBearer(try body.idToken()).account
        let refreshedAt = try await database.read { connection in
            try connection.lastRefreshAt(of: account.id)
        }
        return .json([
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": [.object(userInfo(account, refreshedAt))],
        ])
    }

    /// `accounts:delete`.
    func delete(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        let account = try await authenticateBearer(try body.idToken()).account
        try await database.write { connection in try connection.remove(account: account.id) }
        return .json(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    /// `accounts:createAuthUri`: the sign-in methods of an address, unless addresses are private.
    func createAuthURI(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        let identifier = try body.text("identifier").orThrow(GoogleFailure.missingIdentifier)
        let uri = try body.text("continueUri").orThrow(GoogleFailure.missingContinueURI)
        let address = try EmailAddress(identifier).orThrow(GoogleFailure.invalidIdentifier)
        guard ClarityLink.canContinue(to: uri) else { throw GoogleFailure.invalidContinueURI }
        var isRegistered: Bool?
        if !isOn(Self.emailPrivacy) {
            isRegistered = try await findAccount(email: address.text) != nil
        }
        let signInMethods: JSON? = isRegistered.map { $0 ? ["password"] : [] }
        return .json(
            .omittingNil([
                "kind": "identitytoolkit#CreateAuthUriResponse", "allProviders": signInMethods,
                "registered": isRegistered.map(JSON.bool), "signinMethods": signInMethods,
                "sessionId": .string(RandomTokens.secret(services.world)),
            ]))
    }

    /// A `UserInfo` object. The hash is Google's constant for a redacted one: clients take its
    /// presence to mean that the user has a password.
    private func userInfo(_ account: Account, _ refreshedAt: Timestamp?) -> [JSON.Member] {
        let profile = ClarityProfile(account)
        func text(_ number: Int64) -> JSON { .string(String(number)) }
        let updatedAt = profile.passwordUpdatedAt ?? account.createdAt.milliseconds
        return [.init("localId", .string(account.id)), .init("email", JSON(account.email))]
            + profileMembers(profile)
            + .omittingNil([
                "passwordHash": .string(Self.redactedPasswordHash),
                "emailVerified": .bool(account.isVerified), "passwordUpdatedAt": .int(updatedAt),
                "providerUserInfo": providerUserInfo(account, profile),
                "validSince": text(profile.validSince ?? account.createdAt.seconds),
                "lastLoginAt": text((account.lastLoginAt ?? account.createdAt).milliseconds),
                "createdAt": text(account.createdAt.milliseconds),
                "lastRefreshAt": (refreshedAt?.date.iso8601).map(JSON.string),
            ])
    }

    static let redactedPasswordHash = "UkVEQUNURUQ="

    func profileMembers(_ profile: ClarityProfile) -> [JSON.Member] {
        .omittingNil([
            "displayName": profile.displayName.map(JSON.string),
            "photoUrl": profile.photoURL.map(JSON.string),
        ])
    }

    func providerUserInfo(_ account: Account, _ profile: ClarityProfile) -> JSON {
        let email = JSON(account.email)
        return [
            .object(
                [.init("providerId", "password")] + profileMembers(profile) + [
                    .init("federatedId", email), .init("email", email), .init("rawId", email),
                ])
        ]
    }

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
