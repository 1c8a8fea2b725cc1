import SQLite
import Secrets
import Web

extension ClarityContract {
    /// POST /refresh: as Secure Token does, in this server's words.
    @Sendable func refreshSession(_ visit: Visit) async throws -> Response {
        let token = try refreshToken(visit)
        let (session, account) = try await prolong(token, in: realm(visit))
        return .json([
            "access_token": .string(
                try idToken(
                    account, ClarityPerson(account),
                    signedInAt: session.createdAt)),
            "refresh_token": .string(token),
            "token_type": "bearer", "expires_in": 3600,
        ])
    }

    /// POST /logout: ends the session of the refresh token, or of the bearer
    /// where none is sent.
    @Sendable func logout(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        let session: Session?
        if visit.request.body.isEmpty {
            let (_, claims) = try await bearer(
                Bearer(visit.request).token, in: realm)
            session = try await premises.database.read { connection in
                try connection.session(of: claims, in: realm)?.session
            }
        } else {
            session = try await prolong(
                try refreshToken(visit), in: realm
            ).session
        }
        let now = premises.now
        if let session {
            try await premises.database.write { connection in
                try connection.revoke(
                    session: session.id, because: .signedOut, at: now)
            }
        }
        return .json(["message": "Logout successful"])
    }

    /// POST /verify-email?verification_code=…
    @Sendable func verifyEmail(_ visit: Visit) async throws -> Response {
        let code = visit.target.query.first {
            $0.name == "verification_code"
        }
        _ = try await verify(code?.value ?? "", in: realm(visit))
        return .json(["message": "Email verified successfully"])
    }

    private func refreshToken(_ visit: Visit) throws -> String {
        var fields = try ClarityFields(visit.request)
        let token = fields.text("refresh_token", limit: JSONBody.tokenLimit)
        try fields.check()
        return token
    }
}
