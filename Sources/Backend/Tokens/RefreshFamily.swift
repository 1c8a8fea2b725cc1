import Core
import Crypto
import SQLite

/// The refresh tokens of a contract's sessions: opaque, used once, rotated.
///
/// A token is kept as its SHA-256 digest. Using one retires it and gives the
/// next generation in the same transaction; using a retired one again, later
/// than the reuse interval, ends its whole session (RFC 9700, 4.14.2). That
/// ending is committed although the answer is an error.
struct RefreshFamily: Sendable {
    let world: World
    /// For so long after its use a token may be used again, because the
    /// answer may have been lost or two requests left at once; zero for
    /// strictly once.
    var reuseInterval: Duration = .zero
    /// Whether such a second use gives a next token as well.
    var rotatesOnToleratedReuse = true
    /// For so long a token that is not used is worth something; nil for ever.
    var idleLifetime: Duration?
    /// What a reuse ends.
    var reuseRevocationScope = RevocationScope.session
    var tokenFormat = TokenFormat.prefixed

    /// A fresh token's text.
    func makeToken() -> String {
        switch tokenFormat {
        case .prefixed: "rt_" + RandomTokens.secret(world)
        case .hex: RandomTokens.hex(world)
        }
    }

    /// Opens a session, with `token` as its first generation if there is one.
    func startSession(
        _ account: Account, token: String?, contractData: String = "{}", on connection: Connection,
        at now: Timestamp
    ) throws -> BackendSession {
        let session = BackendSession(
            id: RandomTokens.uuid(world), accountID: account.id, realm: account.realm,
            generation: token == nil ? 0 : 1, contractData: contractData, createdAt: now)
        try connection.add(session)
        if let token {
            try connection.addRefreshToken(
                digest: Digest.sha256(token), session: session.id, generation: 1, at: now)
        }
        return session
    }

    /// Exchanges `token` for the next one, in one write of its own; by the
    /// rules `of` its session, where a contract has several.
    ///
    /// `admit` throws for whom it is not exchanged now: the token stays good
    /// for when they may come again.
    func rotate(
        _ token: String, in realm: Realm, at now: Timestamp, database: TracingDatabase,
        authorize: @escaping @Sendable (Account) throws -> Void = { _ in },
        rules: (@Sendable (BackendSession) -> RefreshFamily)? = nil
    ) async throws -> Outcome {
        let digest = Digest.sha256(token)
        let next = makeToken()
        let nextDigest = Digest.sha256(next)
        return try await database.write { connection in
            guard let found = try connection.session(ofRefreshToken: digest, in: realm) else {
                return .unknown
            }
            var session = found.session
            if found.usedAt != nil { try connection.recordReuse(ofRefreshToken: digest, at: now) }
            guard session.revokedAt == nil else { return .rejected(session, .sessionEnded) }
            let family = rules?(session) ?? self
            if let usedAt = found.usedAt {
                guard now.isWithin(family.reuseInterval, of: usedAt) else {
                    try family.revokeAfterReuse(&session, on: connection, at: now)
                    return .rejected(session, .reuseDetected)
                }
                try authorize(found.account)
                guard family.rotatesOnToleratedReuse else {
                    return .rotated(session, found.account, token: nil)
                }
            } else if let lifetime = family.idleLifetime, now >= found.issuedAt + lifetime {
                let since = found.issuedAt.durationText(to: now)
                CheckTrace.record(.refreshTokenAge, false, "given out \(since) ago")
                return .rejected(session, .expired)
            }
            try authorize(found.account)
            session.generation += 1
            session.refreshedAt = now
            try connection.rotateRefreshToken(session, retiring: digest, to: nextDigest, at: now)
            return .rotated(session, found.account, token: next)
        }
    }

    private func revokeAfterReuse(
        _ session: inout BackendSession, on connection: Connection, at now: Timestamp
    ) throws {
        switch reuseRevocationScope {
        case .session:
            try connection.revoke(session: session.id, reason: .refreshTokenReused, at: now)
        case .account:
            try connection.revokeSessions(
                of: session.accountID, reason: .refreshTokenReused, at: now)
        }
        session.revokedAt = now
        session.revocationReason = BackendSession.EndReason.refreshTokenReused.rawValue
    }
}

extension Timestamp {
    /// Whether a token used at `use` may be used again now. Of two requests
    /// that left at once the one that came first may be written last, so now
    /// may lie a little before the other's use; it lies far before it where
    /// the clock was put back.
    func isWithin(_ reuseInterval: Duration, of use: Timestamp) -> Bool {
        self < use + reuseInterval && use < self + reuseInterval
    }
}
