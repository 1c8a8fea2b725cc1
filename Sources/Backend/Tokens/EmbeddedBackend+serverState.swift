import Crypto
import SQLite
import Web

extension EmbeddedBackend {
    /// What the server knows of whatever `traces` lead to, without a request:
    /// nothing is refreshed, counted or noted by asking.
    package func serverState(of traces: SessionCredentials, contract: String, workspace: String)
        async throws -> ServerSessionState
    { try await serverStates(of: [(traces, contract)], workspace: workspace)[0] }

    /// The same of several sessions, in one read.
    package func serverStates(
        of asked: [(traces: SessionCredentials, contract: String)], workspace: String
    )
        async throws -> [ServerSessionState]
    {
        let questions = asked.map { traces, contract in
            SessionLookup(
                realm: Realm(workspace: workspace, contract: contract),
                verifiedClaims: verifiedClaims(of: traces, contract: contract, workspace),
                hasAccessToken: traces.accessToken != nil,
                refreshTokenDigests: traces.refreshTokens.map { Digest.sha256($0) },
                unverifiedClaims: traces.claims.flatMap(AccessTokens.unverifiedClaims))
        }
        return try await context.database.read { connection in
            try questions.map { try connection.serverState($0) }
        }
    }

    /// What the keys of all contracts say of a token, and whose key spoke.
    package func verifySignature(_ token: String) -> (
        verdict: SignatureVerification, contract: String?
    ) {
        var invalid: (SignatureVerification, String?)?
        let keyID = Token(decoding: token).keyID
        for contract in contracts {
            let verdict = contract.accessTokens.keyring.verifySignature(token)
            switch verdict.status {
            case .verified: return (verdict, contract.id)
            case .invalid:
                // Of a token that names no key of ours nobody here can tell.
                guard contract.accessTokens.keyring.key(id: keyID) != nil else { continue }
                invalid = (verdict, contract.id)
            case .opaque, .unsigned: return (verdict, nil)
            case .unverified: continue
            }
        }
        return invalid ?? (
            SignatureVerification(
                status: .unverified,
                reason: "It names no key of the embedded backend, and no "
                    + "other key is known here."), nil
        )
    }

    /// Of a token that is the server's own, be it over or not.
    private func verifiedClaims(
        of traces: SessionCredentials, contract: String, _ workspace: String
    ) -> AccessTokens
        .Claims?
    {
        guard let token = traces.accessToken else { return nil }
        let realm = Realm(workspace: workspace, contract: contract)
        return switch accessTokens(of: contract)?.validate(token, at: context.now(in: realm)) {
        case .valid(let claims), .expired(let claims): claims
        case .invalid, nil: nil
        }
    }

    /// One session as a database can be asked for it.
    fileprivate struct SessionLookup: Sendable {
        var realm: Realm
        var verifiedClaims: AccessTokens.Claims?
        var hasAccessToken: Bool
        var refreshTokenDigests: [String]
        /// What the last token said of itself.
        var unverifiedClaims: AccessTokens.Claims?
    }
}

extension Connection {
    fileprivate func serverState(_ question: EmbeddedBackend.SessionLookup) throws
        -> ServerSessionState
    {
        let asked = try question.refreshTokenDigests.map { digest in
            try refreshToken(digest, in: question.realm)
        }
        var found: (session: BackendSession, account: Account)?
        if let claims = question.verifiedClaims {
            found = try session(of: claims, in: question.realm)
        }
        if found == nil, question.verifiedClaims == nil,
            let digest = question.refreshTokenDigests.last
        {
            found = try session(ofRefreshToken: digest, in: question.realm).map {
                ($0.session, $0.account)
            }
        }
        let named =
            question.verifiedClaims ?? (question.hasAccessToken ? nil : question.unverifiedClaims)
        if found == nil, let named { found = try session(of: named, in: question.realm) }
        var account = found.map { EmbeddedBackend.SessionAccount($0.account) }
        if account == nil, let named {
            account = try self.account(named.subject, in: question.realm).map(
                EmbeddedBackend.SessionAccount.init)
        }
        return ServerSessionState(
            session: found.map { EmbeddedBackend.SessionInfo($0.session, $0.account) },
            account: account, requestedTokens: asked,
            issuedTokens: try found.map { try refreshTokens(of: $0.session.id) } ?? [],
            isAccessTokenRecognized: !question.hasAccessToken || question.verifiedClaims != nil)
    }

    private func refreshToken(_ digest: String, in realm: Realm) throws -> EmbeddedBackend
        .RefreshTokenInfo?
    {
        try row(
            """
            SELECT refresh_tokens.generation, refresh_tokens.issued_at,
                refresh_tokens.used_at, refresh_tokens.reused_at
            FROM refresh_tokens
                JOIN sessions ON sessions.id = refresh_tokens.session
            WHERE refresh_tokens.digest = ? AND sessions.workspace = ?
                AND sessions.contract = ?
            """, [.text(digest), .text(realm.workspace), .text(realm.contract)],
            EmbeddedBackend.RefreshTokenInfo.init)
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
    /// Why a session ended whose refresh token came twice.
    package static let refreshTokenReusedReason = BackendSession.EndReason.refreshTokenReused
        .rawValue
}
