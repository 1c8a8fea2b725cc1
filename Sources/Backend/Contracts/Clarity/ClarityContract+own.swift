import FoundationEssentials
import SQLite
import Web

/// Clarity's own backend beside Firebase: it keeps names and what was
/// accepted, and takes Firebase's ID tokens.
extension ClarityContract {
    var ownRoutes: [Route] {
        let holder: [Check] = .bearer + [.issuer, .holder, .standing]
        return [
            route(.post, "/api/v1/auth/register", registerPerson, holder + .json),
            route(.get, "/api/v1/auth/me", me, holder),
            route(
                .post, "/api/v1/auth/refresh", refreshSession,
                .json + [.refresh, .standing, .session]),
            route(.post, "/api/v1/auth/logout", logout, [.header]),
            route(.post, "/api/v1/auth/verify-email", verifyEmail, .code),
        ]
    }

    /// POST /register, after `createUser`: stores names and toggles.
    ///
    /// An app whose answer was lost comes again: it is answered the same, and
    /// what it sends last counts.
    @Sendable func registerPerson(_ visit: Visit) async throws -> Response {
        let account = try await bearer(visit)
        var fields = try ClarityFields(visit.request)
        let first = fields.namePart("first_name")
        let last = fields.namePart("last_name")
        let phone = fields.text("phone_number", isRequired: false)
        let email = fields.text("email", limit: JSONBody.emailLimit, isRequired: false)
        fields.consent("terms_accepted")
        fields.consent("privacy_policy_accepted")
        try fields.check()
        guard email.isEmpty || EmailAddress(email)?.text == account.email else {
            throw ClarityProblem(
                403, error: "email_mismatch", "The e-mail address is not the token's")
        }
        let now = premises.now(in: realm(visit))
        let (isNew, isSent) = try await premises.database.write { connection -> (Bool, Bool) in
            guard let current = try connection.account(account.id, in: account.realm) else {
                throw ClarityFailure.userNotFound
            }
            var person = ClarityPerson(current)
            let earlier = person.registration
            person.registration = ClarityPerson.Registration(
                firstName: first, lastName: last, phoneNumber: phone.isEmpty ? nil : phone,
                termsAccepted: true, privacyPolicyAccepted: true,
                createdAt: earlier?.createdAt ?? now.date.iso8601)
            person.displayName = "\(first) \(last)"
            try connection.setProfile(of: account.id, to: person.profile)
            return (
                earlier == nil, try connection.wasMailed(account.id, for: [.verify, .verifyCode])
            )
        }
        return .json(
            [
                "user_id": .string(account.id), "email": JSON(account.email),
                "status": .string(Self.standing(account)), "verification_email_sent": .bool(isSent),
                "created_at": .string(
                    ClarityPerson(account).registration?.createdAt ?? now.date.iso8601),
            ], status: isNew ? 201 : 200)
    }

    /// GET /me.
    @Sendable func me(_ visit: Visit) async throws -> Response {
        let account = try await bearer(visit)
        let known = ClarityPerson(account).registration
        return .json([
            "user_id": .string(account.id),
            "first_name": JSON(known?.firstName),
            "last_name": JSON(known?.lastName),
            "email": JSON(account.email),
            "role": "patient", "permissions": [],
            "status": .string(Self.standing(account)),
            "mfa_enabled": false,
            "email_verified": .bool(account.isVerified),
            "created_at": .string(known?.createdAt ?? account.createdAt.date.iso8601),
            "last_login": JSON(account.lastLoginAt?.date.iso8601),
        ])
    }

    /// Who the request's ID token speaks for.
    private func bearer(_ visit: Visit) async throws -> Account {
        try await bearer(Bearer(visit.request).token, in: realm(visit)).account
    }

    private static func standing(_ account: Account) -> String {
        account.isVerified ? "active" : "pending_verification"
    }
}
