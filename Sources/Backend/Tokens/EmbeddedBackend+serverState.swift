import Crypto
package import FoundationEssentials
import SQLite
package import Web

/// The embedded backend's own record of a session, read directly instead of by a request.
package struct ServerSessionState: Sendable, Equatable {
    /// Nil if the server has no such session, or no longer.
    package var session: BackendSession?
    /// Nil if there is no such account, or no longer.
    package var account: Account?
    /// One element per requested refresh token; nil for one the server never issued or has deleted.
    package var requestedTokens: [EmbeddedBackend.RefreshTokenInfo?]
    /// The newest 100 of the session's refresh tokens, oldest first.
    package var issuedTokens: [EmbeddedBackend.RefreshTokenInfo]
    /// Whether the stored access token was signed by the server.
    package var isAccessTokenRecognized: Bool
}

extension EmbeddedBackend {
    /// An issued refresh token, identified by its generation in the family.
    package struct RefreshTokenInfo: Sendable, Equatable {
        package var generation: Int
        package var issuedAt: Date
        /// When it was exchanged for the next one, or retired by that exchange.
        package var usedAt: Date?
        /// When it was last presented after its use.
        package var reusedAt: Date?
    }

    /// The server's record of the session that the credentials lead to, read without a request:
    /// nothing is refreshed, counted or recorded.
    package func serverState(
        of credentials: SessionCredentials, contract: String, workspace: String
    ) async throws -> ServerSessionState {
        try await serverStates(of: [(credentials, contract)], workspace: workspace)[0]
    }

    /// The same for several sessions, in one read.
    package func serverStates(
        of requests: [(traces: SessionCredentials, contract: String)], workspace: String
    ) async throws -> [ServerSessionState] {
        let lookups = requests.map { credentials, contract in
            SessionLookup(
                realm: Realm(workspace: workspace, contract: contract),
                verifiedClaims: verifiedClaims(of: credentials, contract: contract, workspace),
                hasAccessToken: credentials.accessToken != nil,
                refreshTokenDigests: credentials.refreshTokens.map { Digest.sha256($0) },
                unverifiedClaims: credentials.claims.flatMap(AccessTokens.parseClaims))
        }
        return try await context.database.read { connection in
            try lookups.map { try connection.serverState($0) }
        }
    }

    /// Verifies a token with the keys of all contracts; also returns the contract whose key
    /// decided.
    package func verifySignature(_ token: String) -> (
        verdict: SignatureVerification, contract: String?
    ) {
        var invalid: (SignatureVerification, String?)?
        let keyID = Token(decoding: token).keyID
        for contract in contracts {
            let verification = contract.accessTokens.keyring.verifySignature(token)
            switch verification.status {
            case .verified: return (verification, contract.id)
            case .invalid:
                // A token that names an unknown key cannot be verified here.
                guard contract.accessTokens.keyring.key(id: keyID) != nil else { continue }
                invalid = (verification, contract.id)
            case .opaque, .unsigned: return (verification, nil)
            case .unverified: continue
            }
        }
        return invalid ?? (
            SignatureVerification(
                status: .unverified, reason: "Signed with a key that Foyer does not have."), nil
        )
    }

    /// The claims of a token that the server signed, expired or not.
    private func verifiedClaims(
        of credentials: SessionCredentials, contract: String, _ workspace: String
    ) -> AccessTokens.Claims? {
        guard let token = credentials.accessToken else { return nil }
        let realm = Realm(workspace: workspace, contract: contract)
        return switch accessTokens(of: contract)?.validate(token, at: context.now(in: realm)) {
        case .valid(let claims), .expired(let claims): claims
        case .invalid, nil: nil
        }
    }

    /// The lookup of one session, ready to run in the database.
    fileprivate struct SessionLookup: Sendable {
        var realm: Realm
        var verifiedClaims: AccessTokens.Claims?
        var hasAccessToken: Bool
        var refreshTokenDigests: [String]
        /// The claims of the last token, not verified.
        var unverifiedClaims: AccessTokens.Claims?
    }
}

extension Connection {
    fileprivate func serverState(_ lookup: EmbeddedBackend.SessionLookup) throws
        -> ServerSessionState
    {
        let requestedTokens = try lookup.refreshTokenDigests.map { digest in
            try refreshToken(digest, in: lookup.realm)
        }
        var match: (session: BackendSession, account: Account)?
        if let claims = lookup.verifiedClaims { match = try session(of: claims, in: lookup.realm) }
        if match == nil, lookup.verifiedClaims == nil, let digest = lookup.refreshTokenDigests.last
        {
            match = try session(ofRefreshToken: digest, in: lookup.realm).map {
                ($0.session, $0.account)
            }
        }
        let identifyingClaims =
            lookup.verifiedClaims ?? (lookup.hasAccessToken ? nil : lookup.unverifiedClaims)
        if match == nil, let identifyingClaims {
            match = try session(of: identifyingClaims, in: lookup.realm)
        }
        var account = match?.account
        if account == nil, let identifyingClaims {
            account = try self.account(identifyingClaims.subject, in: lookup.realm)
        }
        return ServerSessionState(
            session: match?.session, account: account, requestedTokens: requestedTokens,
            issuedTokens: try match.map { try refreshTokens(of: $0.session.id) } ?? [],
            isAccessTokenRecognized: !lookup.hasAccessToken || lookup.verifiedClaims != nil)
    }

    private func refreshToken(_ digest: String, in realm: Realm) throws
        -> EmbeddedBackend.RefreshTokenInfo?
    {
        try row(
            """
            SELECT refresh_tokens.generation, issued_at, used_at, reused_at
            FROM refresh_tokens JOIN sessions ON sessions.id = refresh_tokens.session
            WHERE digest = ? AND workspace = ? AND contract = ?
            """, [.text(digest)] + realm.sqlValues, EmbeddedBackend.RefreshTokenInfo.init)
    }

    private func refreshTokens(of session: String) throws -> [EmbeddedBackend.RefreshTokenInfo] {
        try rows(
            """
            SELECT generation, issued_at, used_at, reused_at
            FROM refresh_tokens WHERE session = ?
            ORDER BY generation DESC LIMIT 100
            """, [.text(session)], EmbeddedBackend.RefreshTokenInfo.init
        ).reversed()
    }
}

extension EmbeddedBackend.RefreshTokenInfo {
    fileprivate init(_ row: Row) {
        self.init(
            generation: Int(row.integer(0)), issuedAt: row.timestamp(1).date,
            usedAt: row.optionalTimestamp(2)?.date, reusedAt: row.optionalTimestamp(3)?.date)
    }
}

extension EmbeddedBackend {
    /// The revocation reason of a session whose refresh token was used twice.
    package static let refreshTokenReusedReason = BackendSession.EndReason.refreshTokenReused
        .rawValue
}

/// What a device still stores of a session, for finding the session at the server.
package struct SessionCredentials: Sendable {
    /// The stored access token; nil once the device deleted it.
    package var accessToken: String?
    /// Refresh tokens of the session, newest last.
    package var refreshTokens: [String]
    /// The claims of its last access token; used to find the session only if no token is left to
    /// prove it.
    package var claims: JSON?

    package init(accessToken: String?, refreshTokens: [String], claims: JSON?) {
        self.accessToken = accessToken
        self.refreshTokens = refreshTokens
        self.claims = claims
    }
}
