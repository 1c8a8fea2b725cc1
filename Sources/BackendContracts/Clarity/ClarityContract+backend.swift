import Backend
import FoundationEssentials
import SQLite
import Web

/// Clarity's own backend beside Firebase. It stores names and consents, and accepts Firebase's ID
/// tokens.
extension ClarityContract {
    var backendRoutes: [Route] {
        let bearerChecks: [RequestCheck] = .bearer + [.issuer, .tokenAccount, .accountActive]
        return [
            route(.post, "/api/v1/auth/register", registerProfile, bearerChecks + .json),
            route(.get, "/api/v1/auth/me", me, bearerChecks),
            route(
                .post, "/api/v1/auth/refresh", refreshSession,
                .json + [.refreshToken, .accountActive, .session]),
            route(.post, "/api/v1/auth/logout", logout, [.authorizationHeader]),
            route(.post, "/api/v1/auth/verify-email", verifyEmail, .code),
        ]
    }

    /// POST /register, after `createUser`: stores names and consents.
    ///
    /// A client that lost the response repeats the request. It gets the same response, and its
    /// latest values are stored.
    @Sendable func registerProfile(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context)
        var fields = try ClarityFastAPIBody(context.request)
        let first = fields.namePart("first_name")
        let last = fields.namePart("last_name")
        let phone = fields.text("phone_number", isRequired: false)
        let email = fields.text("email", limit: JSONBody.emailLimit, isRequired: false)
        fields.requireConsent("terms_accepted")
        fields.requireConsent("privacy_policy_accepted")
        try fields.check()
        guard email.isEmpty || EmailAddress(email)?.text == account.email else {
            throw ClarityFastAPIFailure(
                403, error: "email_mismatch", "The e-mail address is not the token's")
        }
        let now = services.now(in: realm(context))
        let (isNew, isSent) = try await services.database.write { connection -> (Bool, Bool) in
            guard let current = try connection.account(account.id, in: account.realm) else {
                throw ClarityGoogleFailure.userNotFound
            }
            var profile = ClarityProfile(current)
            let previousRegistration = profile.registration
            profile.registration = ClarityProfile.Registration(
                firstName: first, lastName: last, phoneNumber: phone.isEmpty ? nil : phone,
                termsAccepted: true, privacyPolicyAccepted: true,
                createdAt: previousRegistration?.createdAt ?? now.date.iso8601)
            profile.displayName = "\(first) \(last)"
            try connection.setProfile(of: account.id, to: profile.jsonText)
            return (
                previousRegistration == nil,
                try connection.wasMailed(account.id, for: [.verify, .verifyCode])
            )
        }
        return .json(
            [
                "user_id": .string(account.id), "email": JSON(account.email),
                "status": .string(Self.accountStatus(account)),
                "verification_email_sent": .bool(isSent),
                "created_at": .string(
                    ClarityProfile(account).registration?.createdAt ?? now.date.iso8601),
            ], status: isNew ? 201 : 200)
    }

    /// GET /me.
    @Sendable func me(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context)
        let registration = ClarityProfile(account).registration
        return .json([
            "user_id": .string(account.id),
            "first_name": JSON(registration?.firstName),
            "last_name": JSON(registration?.lastName),
            "email": JSON(account.email),
            "role": "patient", "permissions": [],
            "status": .string(Self.accountStatus(account)),
            "mfa_enabled": false,
            "email_verified": .bool(account.isVerified),
            "created_at": .string(registration?.createdAt ?? account.createdAt.date.iso8601),
            "last_login": JSON(account.lastLoginAt?.date.iso8601),
        ])
    }

    /// The account of the request's ID token.
    private func authenticateBearer(_ context: RequestContext) async throws -> Account {
        try await authenticateBearer(Bearer(context.request).token, in: realm(context)).account
    }

    private static func accountStatus(_ account: Account) -> String {
        account.isVerified ? "active" : "pending_verification"
    }
}
