import Backend
import Crypto
import SQLite
import Web

extension ClarityContract {
    /// Secure Token's `token` method, as a form or as JSON: issues another ID token. The refresh
    /// token stays the same.
    @Sendable func refresh(_ context: RequestContext) async throws -> Response {
        let realm = try authorizeRequest(context)
        let body = try ClarityGoogleBody(formOrJSON: context.request)
        guard let grantType = try body.text("grantType") else {
            throw ClarityGoogleFailure.missingGrantType
        }
        guard grantType == "refresh_token" else { throw ClarityGoogleFailure.invalidGrantType }
        guard let refreshToken = try body.text("refreshToken") else {
            throw ClarityGoogleFailure.missingRefreshToken
        }
        let (session, account) = try await redeemRefreshToken(refreshToken, in: realm)
        let token = try makeIDToken(account, ClarityProfile(account), signedInAt: session.createdAt)
        return .json([
            "access_token": .string(token),
            "expires_in": .string(String(tokenLifetimeSeconds(of: account))),
            "token_type": "Bearer",
            "refresh_token": .string(refreshToken),
            "id_token": .string(token),
            "user_id": .string(account.id),
            "project_id": .string(Self.projectNumber),
        ])
    }

    /// The active session of a refresh token, with its account. Records the refresh.
    func redeemRefreshToken(_ refreshToken: String, in realm: Realm) async throws -> (
        session: BackendSession, account: Account
    ) {
        let digest = Digest.sha256(refreshToken)
        let now = services.now(in: realm)
        let found = try await services.database.write { connection in
            let found = try connection.session(ofRefreshToken: digest, in: realm)
            if let found, found.session.revokedAt == nil, found.account.disabledAt == nil {
                try connection.recordRefresh(of: found.session.id, at: now)
            }
            return found.map { ($0.session, $0.account) }
        }
        guard let (session, account) = found else {
            throw try isIssuedHere(refreshToken: refreshToken)
                ? ClarityGoogleFailure.userNotFound : ClarityGoogleFailure.invalidRefreshToken
        }
        guard account.disabledAt == nil else { throw ClarityGoogleFailure.userDisabled }
        // A change of password or address ended it.
        guard session.revokedAt == nil else { throw ClarityGoogleFailure.tokenExpired }
        return (session, account)
    }
}
