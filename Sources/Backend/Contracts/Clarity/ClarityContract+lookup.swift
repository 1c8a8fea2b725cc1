import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// `accounts:lookup`: who an ID token speaks for.
    @Sendable func lookup(_ context: RequestContext) async throws -> Response {
        let realm = try authorizeRequest(context)
        let body = try ClarityGoogleBody(context.request)
        let account = try await authenticateBearer(try body.idToken(), in: realm).account
        let refreshedAt = try await services.database.read { connection in
            try connection.lastRefreshAt(of: account.id)
        }
        return .json([
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": [.object(userInfo(account, refreshedAt))],
        ])
    }

    /// `accounts:delete`.
    @Sendable func delete(_ context: RequestContext) async throws -> Response {
        let realm = try authorizeRequest(context)
        let body = try ClarityGoogleBody(context.request)
        let account = try await authenticateBearer(try body.idToken(), in: realm).account
        try await services.database.write { connection in try connection.remove(account: account.id)
        }
        return .json(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    /// `accounts:createAuthUri`: how an address signs in, if that is told.
    @Sendable func createAuthURI(_ context: RequestContext) async throws -> Response {
        let realm = try authorizeRequest(context)
        let body = try ClarityGoogleBody(context.request)
        guard let identifier = try body.text("identifier") else {
            throw ClarityGoogleFailure.missingIdentifier
        }
        guard let uri = try body.text("continueUri") else {
            throw ClarityGoogleFailure.missingContinueURI
        }
        guard let address = EmailAddress(identifier) else {
            throw ClarityGoogleFailure.invalidIdentifier
        }
        guard ClarityLink.canContinue(to: uri) else {
            throw ClarityGoogleFailure.invalidContinueURI
        }
        var members: [JSON.Member] = [.init("kind", "identitytoolkit#CreateAuthUriResponse")]
        if !isOn(Self.emailPrivacy, realm) {
            let isKnown = try await services.database.read { connection in
                try connection.account(email: address.text, in: realm) != nil
            }
            let ways: JSON = isKnown ? ["password"] : []
            members += [
                .init("allProviders", ways), .init("registered", .bool(isKnown)),
                .init("signinMethods", ways),
            ]
        }
        members.append(.init("sessionId", .string(RandomTokens.secret(services.world))))
        return .json(.object(members))
    }

    /// A `UserInfo`. The hash is Google's word for a redacted one: clients
    /// take its being there for a password's.
    private func userInfo(_ account: Account, _ refreshedAt: Timestamp?) -> [JSON.Member] {
        let person = ClarityProfile(account)
        func text(_ number: Int64) -> JSON { .string(String(number)) }
        var members: [JSON.Member] =
            [.init("localId", .string(account.id)), .init("email", JSON(account.email))]
            + profileMembers(person) + [
                .init("passwordHash", .string(Self.redactedPasswordHash)),
                .init("emailVerified", .bool(account.isVerified)),
                .init(
                    "passwordUpdatedAt",
                    .int(person.passwordUpdatedAt ?? account.createdAt.milliseconds)),
                .init("providerUserInfo", providerUserInfo(account, person)),
                .init("validSince", text(person.validSince ?? account.createdAt.seconds)),
                .init("lastLoginAt", text((account.lastLoginAt ?? account.createdAt).milliseconds)),
                .init("createdAt", text(account.createdAt.milliseconds)),
            ]
        if let refreshedAt {
            members.append(.init("lastRefreshAt", .string(refreshedAt.date.iso8601)))
        }
        return members
    }

    static let redactedPasswordHash = "UkVEQUNURUQ="

    func profileMembers(_ person: ClarityProfile) -> [JSON.Member] {
        var members: [JSON.Member] = []
        if let name = person.displayName { members.append(.init("displayName", .string(name))) }
        if let photo = person.photoURL { members.append(.init("photoUrl", .string(photo))) }
        return members
    }

    func providerUserInfo(_ account: Account, _ person: ClarityProfile) -> JSON {
        let email = JSON(account.email)
        return [
            .object(
                [.init("providerId", "password")] + profileMembers(person) + [
                    .init("federatedId", email), .init("email", email), .init("rawId", email),
                ])
        ]
    }
}
