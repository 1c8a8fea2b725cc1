import Backend
import Crypto
import SQLite
import Web

extension ClarityContract {
    /// POST /refresh: like Secure Token's refresh, in this server's format.
    @Sendable func refreshSession(_ context: RequestContext) async throws -> Response {
        let token = try readRefreshToken(context, isRequired: true) ?? ""
        let (session, account) = try await redeemRefreshToken(token, in: realm(context))
        return .json([
            "access_token": .string(
                try makeIDToken(account, ClarityProfile(account), signedInAt: session.createdAt)),
            "refresh_token": .string(token), "token_type": "bearer",
            "expires_in": .int(tokenLifetimeSeconds(of: account)),
        ])
    }

    /// POST /logout: ends the session of the refresh token, or of the bearer token if no refresh
    /// token is sent.
    @Sendable func logout(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        let bearer = Bearer(context.request).token
        let session: BackendSession?
        if let token = try logoutRefreshToken(context, isRequired: bearer == nil) {
            session = try await redeemRefreshToken(token, in: realm).session
        } else {
            let (_, claims) = try await self.authenticateBearer(bearer, in: realm)
            session = try await services.database.read { connection in
                // Firebase's tokens name no session. If several match, none is ended rather than
                // that of another device.
                try connection.unambiguousSession(of: claims, in: realm)
            }
        }
        let now = services.now(in: realm)
        if let session {
            try await services.database.write { connection in
                try connection.revoke(session: session.id, reason: .signedOut, at: now)
            }
        }
        return .json(["message": "Logout successful"])
    }

    /// POST /verify-email?verification_code=…
    @Sendable func verifyEmail(_ context: RequestContext) async throws -> Response {
        let code = context.target.query.first { $0.name == "verification_code" }
        _ = try await applyVerificationCode(code?.value ?? "", in: realm(context))
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
        var fields = try ClarityFastAPIBody(context.request)
        let token = fields.text("refresh_token", limit: JSONBody.tokenLimit, isRequired: isRequired)
        try fields.check()
        return token.isEmpty ? nil : token
    }
}
