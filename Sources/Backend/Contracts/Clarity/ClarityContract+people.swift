import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// `accounts:lookup`: who an ID token speaks for.
    @Sendable func lookup(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(visit.request)
        let account = try await bearer(try body.idToken(), in: realm).account
        let refreshedAt = try await premises.database.read { connection in
            try connection.lastRefresh(of: account.id)
        }
        return .json([
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": [.object(info(account, refreshedAt))],
        ])
    }

    /// `accounts:delete`.
    @Sendable func delete(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(visit.request)
        let account = try await bearer(try body.idToken(), in: realm).account
        try await premises.database.write { connection in try connection.remove(account: account.id)
        }
        return .json(["kind": "identitytoolkit#DeleteAccountResponse"])
    }

    /// `accounts:createAuthUri`: how an address signs in, if that is told.
    @Sendable func createAuthURI(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(visit.request)
        guard let identifier = try body.text("identifier") else {
            throw ClarityFailure.missingIdentifier
        }
        guard let uri = try body.text("continueUri") else {
            throw ClarityFailure.missingContinueURI
        }
        guard let address = EmailAddress(identifier) else { throw ClarityFailure.invalidIdentifier }
        guard ClarityLink.canContinue(to: uri) else { throw ClarityFailure.invalidContinueURI }
        var members: [JSON.Member] = [.init("kind", "identitytoolkit#CreateAuthUriResponse")]
        if !isOn(Self.emailPrivacy, realm) {
            let isKnown = try await premises.database.read { connection in
                try connection.account(email: address.text, in: realm) != nil
            }
            let ways: JSON = isKnown ? ["password"] : []
            members += [
                .init("allProviders", ways), .init("registered", .bool(isKnown)),
                .init("signinMethods", ways),
            ]
        }
        members.append(.init("sessionId", .string(Opaque.secret(premises.world))))
        return .json(.object(members))
    }

    /// A `UserInfo`. The hash is Google's word for a redacted one: clients
    /// take its being there for a password's.
    private func info(_ account: Account, _ refreshedAt: Moment?) -> [JSON.Member] {
        let person = ClarityPerson(account)
        func text(_ number: Int64) -> JSON { .string(String(number)) }
        var members: [JSON.Member] =
            [.init("localId", .string(account.id)), .init("email", JSON(account.email))]
            + names(person) + [
                .init("passwordHash", .string(Self.redacted)),
                .init("emailVerified", .bool(account.isVerified)),
                .init(
                    "passwordUpdatedAt",
                    .int(person.passwordUpdatedAt ?? account.createdAt.milliseconds)),
                .init("providerUserInfo", providers(account, person)),
                .init("validSince", text(person.validSince ?? account.createdAt.seconds)),
                .init("lastLoginAt", text((account.lastLoginAt ?? account.createdAt).milliseconds)),
                .init("createdAt", text(account.createdAt.milliseconds)),
            ]
        if let refreshedAt {
            members.append(.init("lastRefreshAt", .string(refreshedAt.date.iso8601)))
        }
        return members
    }

    static let redacted = "UkVEQUNURUQ="

    func names(_ person: ClarityPerson) -> [JSON.Member] {
        var members: [JSON.Member] = []
        if let name = person.displayName { members.append(.init("displayName", .string(name))) }
        if let photo = person.photoURL { members.append(.init("photoUrl", .string(photo))) }
        return members
    }

    func providers(_ account: Account, _ person: ClarityPerson) -> JSON {
        let email = JSON(account.email)
        return [
            .object(
                [.init("providerId", "password")] + names(person) + [
                    .init("federatedId", email), .init("email", email), .init("rawId", email),
                ])
        ]
    }
}
