import Crypto
import SQLite
import Web

extension SocotoContract {
    /// POST /token: the query says what is exchanged.
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
        let found = try await services.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await services.hasher.verify(password, against: found?.passwordHash)
        guard isRight, let found else { throw SocotoAuthFailure.invalidCredentials }
        guard !isBanned(found), !services.isAccountLockSimulated else {
            throw SocotoAuthFailure.userBanned
        }
        guard found.emailVerifiedAt != nil else { throw SocotoAuthFailure.emailNotConfirmed }
        let now = services.now(in: realm)
        let grant = try await services.database.write { connection -> SignIn? in
            // The password may have been changed while it was checked.
            guard let current = try connection.account(found.id, in: realm),
                current.passwordHash == found.passwordHash
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
        // The shortest there ever were; longer ones are of our own making.
        guard token.utf8.count >= 12, token.utf8.count == 12 || Base64URL.decode(token)?.first == 0
        else { throw SocotoAuthFailure.malformedRefreshToken }
        let realm = realm(context)
        let outcome = try await refreshTokens.rotate(
            token, in: realm, at: services.now(in: realm), database: services.database)
        switch outcome {
        case .unknown: throw SocotoAuthFailure.unknownRefreshToken
        case .reuseDetected: throw SocotoAuthFailure.usedRefreshToken
        case .refreshed(let session, let account, let next):
            guard !isBanned(account) else { throw SocotoAuthFailure.refreshUserBanned }
            return .authJSON(
                try self.sessionJSON(
                    SignIn(
                        account: account, user: SocotoUser(account), session: session,
                        refreshToken: next)))
        }
    }
}

extension RequestTarget {
    /// The first value under `name`, nil if there is none or an empty one.
    func queryValue(_ name: String) -> String? {
        query.first { $0.name == name && !$0.value.isEmpty }?.value
    }
}
