import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

/// Clarity's own backend beside Firebase. It stores names and consents, and accepts Firebase's ID
/// tokens.
extension ClarityContract {
    var backendRoutes: [Route] {
        let bearerChecks: [RequestCheck] = .bearer + [.issuer, .tokenAccount, .accountActive]
        return [
            route(.post, "/api/v1/auth/register", Self.registerProfile, bearerChecks + .json),
            route(.get, "/api/v1/auth/me", Self.me, bearerChecks),
            route(
                .post, "/api/v1/auth/refresh", Self.refreshSession,
                .json + [.refreshToken, .accountActive, .session]),
            route(.post, "/api/v1/auth/logout", Self.logout, [.authorizationHeader]),
            route(.post, "/api/v1/auth/verify-email", Self.verifyEmail, .code),
        ]
    }

    /// POST /register, after `createUser`: stores names and consents.
    ///
    /// A client that lost the response repeats the request. It gets the same response, and its
    /// latest values are stored.
    func registerProfile(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context)
        var fields = try FastAPIBody(context.request)
        let first = fields.namePart("first_name")
        let last = fields.namePart("last_name")
        let phone = fields.text("phone_number", isRequired: false)
        let email = fields.text("email", limit: JSONBody.emailLimit, isRequired: false)
        fields.requireConsent("terms_accepted")
        fields.requireConsent("privacy_policy_accepted")
        try fields.check()
        guard email.isEmpty || EmailAddress(email)?.text == account.email else {
            throw FastAPIFailure(
                403, error: "email_mismatch", "The e-mail address is not the token's")
        }
        let now = now
        let (isNew, isSent) = try await database.write { connection -> (Bool, Bool) in
            let current = try connection.account(account.id, in: realm).orThrow(
                GoogleFailure.userNotFound)
            var profile = ClarityProfile(current)
            let previousRegistration = profile.registration
            profile.registration = ClarityProfile.Registration(
                firstName: first, lastName: last, phoneNumber: phone.isEmpty ? nil : phone,
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
    func me(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context)
        let registration = ClarityProfile(account).registration
        return .json([
            "user_id": .string(account.id), "first_name": JSON(registration?.firstName),
            "last_name": JSON(registration?.lastName), "email": JSON(account.email),
            "role": "patient", "permissions": [], "status": .string(Self.accountStatus(account)),
            "mfa_enabled": false, "email_verified": .bool(account.isVerified),
            "created_at": .string(registration?.createdAt ?? account.createdAt.date.iso8601),
            "last_login": JSON(account.lastLoginAt?.date.iso8601),
        ])
    }

    /// The account of the request's ID token.
    private func authenticateBearer(_ context: RequestContext) async throws -> Account {
        try await authenticateBearer(Bearer(context.request).token).account
    }

    private static func accountStatus(_ account: Account) -> String {
        account.isVerified ? "active" : "pending_verification"
    }

    /// POST /refresh: like Secure Token's refresh, in this server's format.
    func refreshSession(_ context: RequestContext) async throws -> Response {
        let token = try readRefreshToken(context, isRequired: true) ?? ""
        let (session, account) = try await redeemRefreshToken(token)
        return .json([
            "access_token": .string(
                try makeIDToken(account, session)),
            "refresh_token": .string(token), "token_type": "bearer",
            "expires_in": .int(tokenLifetimeSeconds(of: account)),
        ])
    }

    /// POST /logout: ends the session of the refresh token, or of the bearer token if no refresh
    /// token is sent.
    func logout(_ context: RequestContext) async throws -> Response {
        let bearer = Bearer(context.request).token
        let session: BackendSession?
        if let token = try logoutRefreshToken(context, isRequired: bearer == nil) {
            session = try await redeemRefreshToken(token).session
        } else {
            let claims = try await self.authenticateBearer(bearer).claims
            session = try await database.read { connection in
                // Firebase's tokens name no session. If several match, none is ended rather than
                // that of another device.
                try connection.unambiguousSession(of: claims, in: realm)
            }
        }
        if let session { try await signOut(session) }
        return .json(["message": "Logout successful"])
    }

    /// POST /verify-email?verification_code=…
    func verifyEmail(_ context: RequestContext) async throws -> Response {
        let code = context.target.query.value(of: "verification_code")
        _ = try await applyVerificationCode(code ?? "")
        return .json(["message": "Email verified successfully"])
    }

    /// The refresh token whose session is to end: the body's, or the bearer token if it is a
    /// refresh token. Nil for any other bearer token.
    func logoutRefreshToken(_ context: RequestContext, isRequired: Bool = false) throws -> String? {
        // Many clients send a body with every POST, and the bearer token with every request.
        if !context.request.body.isEmpty,
            let token = try readRefreshToken(context, isRequired: isRequired)
        {
            return token
        }
        guard let bearer = Bearer(context.request).token else { return nil }
        return try isIssuedHere(refreshToken: bearer) ? bearer : nil
    }

    /// The body's refresh token. Nil if it has none and none is required.
    func readRefreshToken(_ context: RequestContext, isRequired: Bool = false) throws -> String? {
        if context.request.body.isEmpty, !isRequired { return nil }
        var fields = try FastAPIBody(context.request)
        let token = fields.text("refresh_token", limit: JSONBody.tokenLimit, isRequired: isRequired)
        try fields.check()
        return token.isEmpty ? nil : token
    }
}
