import SQLite
import Secrets
import Web

extension EmbeddedBackend {
    /// What the server knows of whatever `traces` lead to, without a request:
    /// nothing is refreshed, counted or noted by asking.
    package func truth(of traces: Traces, contract: String, workspace: String) async throws -> Truth
    { try await truths(of: [(traces, contract)], workspace: workspace)[0] }

    /// The same of several sessions, in one read.
    package func truths(of asked: [(traces: Traces, contract: String)], workspace: String)
        async throws -> [Truth]
    {
        let questions = asked.map { traces, contract in
            Question(
                realm: Realm(workspace: workspace, contract: contract),
                claims: claims(of: traces, contract: contract, workspace),
                hasToken: traces.accessToken != nil,
                digests: traces.refreshTokens.map { Digest.sha256($0) },
                named: traces.claims.flatMap(AccessTokens.named))
        }
        return try await premises.database.read { connection in
            try questions.map { try connection.truth($0) }
        }
    }

    /// What the keys of all contracts say of a token, and whose key spoke.
    package func judge(_ token: String) -> (verdict: Verdict, contract: String?) {
        var invalid: (Verdict, String?)?
        let keyID = Token(decoding: token).keyID
        for contract in contracts {
            let verdict = contract.tokens.keyring.judge(token)
            switch verdict.word {
            case .verified: return (verdict, contract.id)
            case .invalid:
                // Of a token that names no key of ours nobody here can tell.
                guard contract.tokens.keyring.key(id: keyID) != nil else { continue }
                invalid = (verdict, contract.id)
            case .opaque, .unsigned: return (verdict, nil)
            case .unverified: continue
            }
        }
        return invalid ?? (
            Verdict(
                word: .unverified,
                reason: "It names no key of the embedded backend, and no "
                    + "other key is known here."), nil
        )
    }

    /// Of a token that is the server's own, be it over or not.
    private func claims(of traces: Traces, contract: String, _ workspace: String) -> AccessTokens
        .Claims?
    {
        guard let token = traces.accessToken else { return nil }
        let realm = Realm(workspace: workspace, contract: contract)
        return switch tokens(of: contract)?.read(token, at: premises.now(in: realm)) {
        case .valid(let claims), .expired(let claims): claims
        case .refused, nil: nil
        }
    }

    /// One session as a database can be asked for it.
    fileprivate struct Question: Sendable {
        var realm: Realm
        var claims: AccessTokens.Claims?
        var hasToken: Bool
        var digests: [String]
        /// What the last token said of itself.
        var named: AccessTokens.Claims?
    }
}

extension Connection {
    fileprivate func truth(_ question: EmbeddedBackend.Question) throws -> Truth {
        let asked = try question.digests.map { digest in
            try refreshToken(digest, in: question.realm)
        }
        var found: (session: Session, account: Account)?
        if let claims = question.claims { found = try session(of: claims, in: question.realm) }
        if found == nil, question.claims == nil, let digest = question.digests.last {
            found = try session(ofRefreshToken: digest, in: question.realm).map {
                ($0.session, $0.account)
            }
        }
        let named = question.claims ?? (question.hasToken ? nil : question.named)
        if found == nil, let named { found = try session(of: named, in: question.realm) }
        var account = found.map { EmbeddedBackend.KnownPerson($0.account) }
        if account == nil, let named {
            account = try self.account(named.subject, in: question.realm).map(
                EmbeddedBackend.KnownPerson.init)
        }
        return Truth(
            session: found.map { EmbeddedBackend.KnownSession($0.session, $0.account) },
            account: account, asked: asked,
            issued: try found.map { try refreshTokens(of: $0.session.id) } ?? [],
            isOwnToken: !question.hasToken || question.claims != nil)
    }

    private func refreshToken(_ digest: String, in realm: Realm) throws -> EmbeddedBackend
        .KnownRefreshToken?
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
            EmbeddedBackend.KnownRefreshToken.init)
    }

    private func refreshTokens(of session: String) throws -> [EmbeddedBackend.KnownRefreshToken] {
        try rows(
            """
            SELECT generation, issued_at, used_at, reused_at
            FROM refresh_tokens WHERE session = ?
            ORDER BY generation DESC LIMIT 100
            """, [.text(session)], EmbeddedBackend.KnownRefreshToken.init
        ).reversed()
    }
}

extension EmbeddedBackend.KnownRefreshToken {
    fileprivate init(_ row: Row) {
        self.init(
            generation: Int(row.integer(0)), issuedAt: row.moment(1).date,
            usedAt: row.optionalMoment(2)?.date, reusedAt: row.optionalMoment(3)?.date)
    }
}

extension EmbeddedBackend {
    /// Why a session ended whose refresh token came twice.
    package static let reuse = Session.End.reused.rawValue
}
