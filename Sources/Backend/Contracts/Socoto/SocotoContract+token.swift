import SQLite
import Secrets
import Web

extension SocotoContract {
    /// POST /token: the query says what is exchanged.
    @Sendable func token(_ visit: Visit) async throws -> Response {
        try count(visit, Self.tokenRequests)
        return switch visit.target.value("grant_type") {
        case "password": try await byPassword(visit)
        case "refresh_token": try await byRefreshToken(visit)
        case "pkce": try await byCode(visit)
        default: throw SocotoFailure.unknownGrant
        }
    }

    private func byPassword(_ visit: Visit) async throws -> Response {
        Trail.expect(.json + .credentials + [.standing, .verified])
        let body = try SocotoBody(visit.request, as: "PasswordGrantParams")
        let email = try body.text("email").lowercased()
        let password = try body.text("password")
        guard !email.isEmpty else {
            throw try body.text("phone").isEmpty
                ? SocotoFailure.invalid("missing email or phone") : SocotoFailure.phoneLoginsOff
        }
        let realm = realm(visit)
        let found = try await premises.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        // Costs the same for nobody, so that the time tells nothing.
        let isRight = try await premises.hasher.verify(password, against: found?.passwordHash)
        guard isRight, let found else { throw SocotoFailure.wrongCredentials }
        guard !isBanned(found), !premises.isLockedOut else { throw SocotoFailure.banned }
        guard found.emailVerifiedAt != nil else { throw SocotoFailure.notConfirmed }
        let now = premises.now(in: realm)
        let grant = try await premises.database.write { connection -> Grant? in
            // The password may have been changed while it was checked.
            guard let current = try connection.account(found.id, in: realm),
                current.passwordHash == found.passwordHash
            else { return nil }
            return try open(current, SocotoPerson(current), by: .password, on: connection, at: now)
        }
        guard let grant else { throw SocotoFailure.wrongCredentials }
        return .auth(try session(grant))
    }

    private func byRefreshToken(_ visit: Visit) async throws -> Response {
        Trail.expect(.json + .refreshing + [.standing])
        let body = try SocotoBody(visit.request, as: "RefreshTokenGrantParams")
        let token = try body.text("refresh_token")
        // The shortest there ever were; longer ones are of our own making.
        guard token.utf8.count >= 12, token.utf8.count == 12 || Base64URL.decode(token)?.first == 0
        else { throw SocotoFailure.malformedRefreshToken }
        let realm = realm(visit)
        let outcome = try await chain.rotate(
            token, in: realm, at: premises.now(in: realm), database: premises.database)
        switch outcome {
        case .unknown: throw SocotoFailure.unknownRefreshToken
        case .reused: throw SocotoFailure.usedRefreshToken
        case .refreshed(let session, let account, let next):
            guard !isBanned(account) else { throw SocotoFailure.bannedRefresh }
            return .auth(
                try self.session(
                    Grant(
                        account: account, person: SocotoPerson(account), session: session,
                        refreshToken: next)))
        }
    }
}

extension Target {
    /// The first value under `name`, nil if there is none or an empty one.
    func value(_ name: String) -> String? {
        query.first { $0.name == name && !$0.value.isEmpty }?.value
    }
}
