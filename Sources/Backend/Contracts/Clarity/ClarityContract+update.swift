import SQLite
import Web

extension ClarityContract {
    /// `accounts:update`: applies a mailed code, or changes whom an ID token
    /// speaks for.
    @Sendable func update(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(visit.request)
        if let code = try body.text("oobCode") {
            let account = try await verify(code, in: realm)
            return .json(.object(updated(account)))
        }
        guard let token = try body.idToken() else { throw ClarityFailure.unsupportedParameters }
        guard try body.text("customAttributes") == nil else {
            throw ClarityFailure.insufficientPermission
        }
        let bearer = try await bearer(token, in: realm).account
        guard try body.text("disableUser") == nil else { throw ClarityFailure.signUpOff }
        let change = try await change(body, of: bearer)
        let (account, session, next) = try await apply(change, to: bearer)
        return .json(
            .object(
                updated(account, newEmail: change.email?.text)
                    + (try issued(account, session, next))))
    }

    private func change(_ body: ClarityBody, of account: Account) async throws -> ClarityChange {
        var change = ClarityChange()
        change.displayName = try body.displayName()
        change.photoURL = try body.photoURL()
        if let email = try address(body), email.text != account.email {
            guard !isOn(Self.emailPrivacy, account.realm) else { throw ClarityFailure.verifyFirst }
            change.email = email
            try await refuseTaken(email, in: account.realm)
        }
        if let password = try body.password("password") {
            try Self.check(newPassword: password)
            change.password = password
        }
        // The only one there is, as with the attributes below.
        guard body.texts("deleteProvider").isEmpty else { throw ClarityFailure.signUpOff }
        for attribute in body.texts("deleteAttribute") {
            switch attribute {
            case "DISPLAY_NAME", "2": change.forgetsDisplayName = true
            case "PHOTO_URL", "4": change.forgetsPhotoURL = true
            case "USER_ATTRIBUTE_NAME_UNSPECIFIED", "0": continue
            // Without them nobody could sign in any more.
            default: throw ClarityFailure.signUpOff
            }
        }
        return change
    }

    private func updated(_ account: Account, newEmail: String? = nil) -> [JSON.Member] {
        let person = ClarityPerson(account)
        var members = said("SetAccountInfoResponse", account) + names(person)
        if let newEmail { members.append(.init("newEmail", .string(newEmail))) }
        return members + [
            .init("emailVerified", .bool(account.isVerified)),
            .init("providerUserInfo", providers(account, person)),
            .init("passwordHash", .string(Self.redacted)),
        ]
    }
}
