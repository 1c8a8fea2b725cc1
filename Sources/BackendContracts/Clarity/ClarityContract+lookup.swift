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
}
