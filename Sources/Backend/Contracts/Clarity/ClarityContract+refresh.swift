import SQLite
import Secrets
import Web

extension ClarityContract {
    /// Secure Token's `token`, as a form or as JSON: another ID token for the
    /// same refresh token, which stays what it is.
    @Sendable func refresh(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(formOrJSON: visit.request)
        guard let kind = try body.text("grantType") else { throw ClarityFailure.missingGrantType }
        guard kind == "refresh_token" else { throw ClarityFailure.invalidGrantType }
        guard let refreshToken = try body.text("refreshToken") else {
            throw ClarityFailure.missingRefreshToken
        }
        let (session, account) = try await prolong(refreshToken, in: realm)
        let token = try idToken(account, ClarityPerson(account), signedInAt: session.createdAt)
        return .json([
            "access_token": .string(token),
            "expires_in": .string(String(seconds(of: account))),
            "token_type": "Bearer",
            "refresh_token": .string(refreshToken),
            "id_token": .string(token),
            "user_id": .string(account.id),
            "project_id": .string(Self.projectNumber),
        ])
    }

    /// The session of a refresh token, if it lasts.
    func prolong(_ refreshToken: String, in realm: Realm) async throws -> (
        session: Session, account: Account
    ) {
        let digest = Digest.sha256(refreshToken)
        let now = premises.now(in: realm)
        let found = try await premises.database.write { connection in
            let found = try connection.session(ofRefreshToken: digest, in: realm)
            if let found, found.session.revokedAt == nil, found.account.disabledAt == nil {
                try connection.noteRefresh(of: found.session.id, at: now)
            }
            return found.map { ($0.session, $0.account) }
        }
        guard let (session, account) = found else {
            throw try isOurs(refreshToken: refreshToken)
                ? ClarityFailure.userNotFound : ClarityFailure.invalidRefreshToken
        }
        guard account.disabledAt == nil else { throw ClarityFailure.userDisabled }
        // It ended with a change of password or address.
        guard session.revokedAt == nil else { throw ClarityFailure.tokenExpired }
        return (session, account)
    }
}
