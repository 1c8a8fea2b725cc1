import Backend
import Core
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// POST /token. The query names the grant type.
    @Sendable func token(_ context: RequestContext) async throws -> Response {
        try checkRateLimit(context, Self.tokenRequestLimit)
        return switch context.target.queryValue("grant_type") {
        case "password": try await passwordGrant(context)
        case "refresh_token": try await refreshTokenGrant(context)
        case "pkce": try await pkceGrant(context)
        default: throw SocotoAuthFailure.unsupportedGrantType
        }
    }

    private func passwordGrant(_ context: RequestContext) async throws -> Response {
        CheckTrace.plan(.json + .credentials + [.accountActive, .emailVerified])
        let body = try SocotoAuthBody(context.request, as: "PasswordGrantParams")
        let email = try body.text("email").lowercased()
        let password = try body.text("password")
        guard !email.isEmpty else {
            throw try body.text("phone").isEmpty
                ? SocotoAuthFailure.invalid("missing email or phone")
                : SocotoAuthFailure.phoneLoginsDisabled
        }
        let realm = realm(context)
        let (found, isAccepted) = try await services.authenticate(
            email: email, password: password, in: realm)
        guard isAccepted, let account = found else { throw SocotoAuthFailure.invalidCredentials }
        guard !isBanned(account), !services.isAccountLockSimulated else {
            throw SocotoAuthFailure.userBanned
        }
        guard account.emailVerifiedAt != nil else { throw SocotoAuthFailure.emailNotConfirmed }
        let now = services.now(in: realm)
        let grant = try await services.database.write { connection -> SignIn? in
            // The password may have been changed while it was verified.
            guard let current = try connection.account(account.id, in: realm),
                current.passwordHash == account.passwordHash
            else { return nil }
            return try signIn(current, SocotoUser(current), by: .password, on: connection, at: now)
        }
        guard let grant else { throw SocotoAuthFailure.invalidCredentials }
        return .authJSON(try sessionJSON(grant))
    }

    private func refreshTokenGrant(_ context: RequestContext) async throws -> Response {
        CheckTrace.plan(.json + .refreshToken + [.accountActive])
        let body = try SocotoAuthBody(context.request, as: "RefreshTokenGrantParams")
        let token = try body.text("refresh_token")
        // The shortest tokens have 12 characters, like GoTrue's. Longer ones are derived by this
        // backend and begin with a zero byte.
        guard token.utf8.count >= 12, token.utf8.count == 12 || Base64URL.decode(token)?.first == 0
        else { throw SocotoAuthFailure.malformedRefreshToken }
        let realm = realm(context)
        let outcome = try await refreshTokens.rotate(
            token, in: realm, at: services.now(in: realm), database: services.database)
        switch outcome {
        case .unknown: throw SocotoAuthFailure.unknownRefreshToken
        case .reuseDetected: throw SocotoAuthFailure.usedRefreshToken
        case .refreshed(let session, let account, let refreshToken):
            guard !isBanned(account) else { throw SocotoAuthFailure.refreshUserBanned }
            return .authJSON(
                try self.sessionJSON(
                    SignIn(
                        account: account, user: SocotoUser(account), session: session,
                        refreshToken: refreshToken)))
        }
    }
}

extension RequestTarget {
    /// The first nonempty value of `name`.
    func queryValue(_ name: String) -> String? {
        query.first { $0.name == name && !$0.value.isEmpty }?.value
    }
}
