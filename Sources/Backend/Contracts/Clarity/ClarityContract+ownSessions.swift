import SQLite
import Secrets
import Web

extension ClarityContract {
    /// POST /refresh: as Secure Token does, in this server's words.
    @Sendable func refreshSession(_ visit: Visit) async throws -> Response {
        let token = try refreshToken(visit, isRequired: true) ?? ""
        let (session, account) = try await prolong(token, in: realm(visit))
        return .json([
            "access_token": .string(
                try idToken(account, ClarityPerson(account), signedInAt: session.createdAt)),
            "refresh_token": .string(token), "token_type": "bearer",
            "expires_in": .int(seconds(of: account)),
        ])
    }

    /// POST /logout: ends the session of the refresh token, or of the bearer
    /// where none is sent.
    @Sendable func logout(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        let bearer = Bearer(visit.request).token
        let session: Session?
        if let token = try leavingToken(visit, isRequired: bearer == nil) {
            session = try await prolong(token, in: realm).session
        } else {
            let (_, claims) = try await self.bearer(bearer, in: realm)
            session = try await premises.database.read { connection in
                // Firebase's tokens name no session: rather none is ended
                // than that of somebody's other phone.
                try connection.onlySession(of: claims, in: realm)
            }
        }
        let now = premises.now(in: realm)
        if let session {
            try await premises.database.write { connection in
                try connection.revoke(session: session.id, because: .signedOut, at: now)
            }
        }
        return .json(["message": "Logout successful"])
    }

    /// POST /verify-email?verification_code=…
    @Sendable func verifyEmail(_ visit: Visit) async throws -> Response {
        let code = visit.target.query.first { $0.name == "verification_code" }
        _ = try await verify(code?.value ?? "", in: realm(visit))
        return .json(["message": "Email verified successfully"])
    }

    /// The refresh token whose session is to end: the body's, or the bearer
    /// if it is one; nil for any other bearer.
    func leavingToken(_ visit: Visit, isRequired: Bool = false) throws -> String? {
        // Many clients send a body with every POST, and the bearer to all.
        if !visit.request.body.isEmpty, let token = try refreshToken(visit, isRequired: isRequired)
        {
            return token
        }
        guard let bearer = Bearer(visit.request).token else { return nil }
        return try isOurs(refreshToken: bearer) ? bearer : nil
    }

    /// The body's; nil if it holds none and need not.
    func refreshToken(_ visit: Visit, isRequired: Bool = false) throws -> String? {
        if visit.request.body.isEmpty, !isRequired { return nil }
        var fields = try ClarityFields(visit.request)
        let token = fields.text("refresh_token", limit: JSONBody.tokenLimit, isRequired: isRequired)
        try fields.check()
        return token.isEmpty ? nil : token
    }
}
