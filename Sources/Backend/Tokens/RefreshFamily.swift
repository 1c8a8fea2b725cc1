package import Core
import Crypto
package import SQLite
import Web

/// Opaque, rotating refresh tokens of a contract's sessions, each valid for one use.
///
/// A token is stored as its SHA-256 digest. Using one retires it and issues the next generation in
/// the same transaction. Using a retired token again after the reuse interval ends its whole
/// session (RFC 9700, 4.14.2); that revocation is committed although the response is an error.
package struct RefreshFamily: Sendable {
    let world: World
    /// How long a used token is accepted again, because the response may have been lost or two
    /// requests sent at once; zero for strictly one use.
    package var reuseInterval: Duration = .zero
    /// Whether such a tolerated reuse also issues a new token.
    package var rotatesOnToleratedReuse = true
    /// How long an unused token stays valid; nil for no limit.
    package var idleLifetime: Duration?
    /// Whether a detected reuse ends every session of the account, not only the token's.
    package var reuseEndsAllSessions = false
    /// Whether a token consists of 64 hex digits, instead of `rt_` and base64url.
    package var issuesHexTokens = false

    package init(world: World) { self.world = world }

    package func makeToken() -> String {
        issuesHexTokens ? RandomTokens.hex(world) : "rt_" + RandomTokens.secret(world)
    }

    /// Creates a session, with `token` as its first generation if there is one.
    package func startSession(
        _ account: Account, token: String?, contractData: String = "{}", on connection: Connection,
        at now: Timestamp
    ) throws -> BackendSession {
        let session = BackendSession(
            id: RandomTokens.uuid(world), accountID: account.id, realm: account.realm,
            generation: token == nil ? 0 : 1, contractData: contractData, createdAt: now)
        try connection.add(session, token: token)
        return session
    }

    /// Exchanges `token` for the next one in a single write, by the `rules` of its session where a
    /// contract has several.
    ///
    /// `authorize` throws for an account that may not refresh now; the token then stays valid for a
    /// later attempt.
    package func rotate(
        _ token: String, in realm: Realm, at now: Timestamp, database: TracingDatabase,
        authorize: @escaping @Sendable (Account) throws -> Void = { _ in },
        rules: (@Sendable (BackendSession) -> RefreshFamily)? = nil
    ) async throws -> Outcome {
        let digest = Digest.sha256(token)
        let next = makeToken()
        let nextDigest = Digest.sha256(next)
        return try await database.write { connection in
            guard let record = try connection.session(ofRefreshToken: digest, in: realm) else {
                return .unknown
            }
            var session = record.session
            if record.usedAt != nil { try connection.recordReuse(ofRefreshToken: digest, at: now) }
            guard session.revokedAt == nil else { return .rejected(session, .sessionEnded) }
            let family = rules?(session) ?? self
            if let usedAt = record.usedAt {
                guard now.isWithin(family.reuseInterval, of: usedAt) else {
                    try family.revokeAfterReuse(&session, on: connection, at: now)
                    return .rejected(session, .reuseDetected)
                }
                try authorize(record.account)
                guard family.rotatesOnToleratedReuse else {
                    return .rotated(session, record.account, token: nil)
                }
            } else if let lifetime = family.idleLifetime, now >= record.issuedAt + lifetime {
                let age = record.issuedAt.durationText(to: now)
                CheckTrace.record(.refreshTokenAge, false, "issued \(age) ago")
                return .rejected(session, .expired)
            }
            try authorize(record.account)
            session.generation += 1
            session.refreshedAt = now
            try connection.rotateRefreshToken(session, retiring: digest, to: nextDigest, at: now)
            return .rotated(session, record.account, token: next)
        }
    }

    private func revokeAfterReuse(
        _ session: inout BackendSession, on connection: Connection, at now: Timestamp
    ) throws {
        if reuseEndsAllSessions {
            try connection.revokeSessions(
                of: session.accountID, reason: .refreshTokenReused, at: now)
        } else {
            try connection.revoke(session: session.id, reason: .refreshTokenReused, at: now)
        }
        session.revokedAt = now
        session.revocationReason = BackendSession.EndReason.refreshTokenReused.rawValue
    }
}

extension Timestamp {
    /// Whether a token used at `use` may be used again now. Of two concurrent requests, the earlier
    /// one may be written last, so now can be slightly before the other's use; it is far before it
    /// only where the clock was set back.
    func isWithin(_ reuseInterval: Duration, of use: Timestamp) -> Bool {
        self < use + reuseInterval && use < self + reuseInterval
    }
}

extension RefreshFamily {
    /// The result of presenting a refresh token.
    package enum Outcome: Sendable {
        /// `token` is nil where a tolerated reuse issues none.
        case rotated(BackendSession, Account, token: String?)
        case unknown
        case rejected(BackendSession, RejectionReason)
    }

    /// Why a known token was rejected.
    package enum RejectionReason: Sendable {
        /// Its session had already ended.
        case sessionEnded
        /// This second use ended its session.
        case reuseDetected
        /// It was older than the idle lifetime.
        case expired
    }
}

/// Refresh tokens derived from session and generation, so a token's successor can be computed
/// again.
///
/// A client whose response was lost may present its token again at any time and gets the same
/// successor, and so do concurrent requests. Older tokens are accepted within the reuse interval;
/// after that, using one ends its session. A token from before a second factor has no successor:
/// its interval begins when it was issued.
package struct DerivedRefreshTokens: Sendable {
    let world: World
    /// Has a `code` key.
    let keyring: Keyring

    private static let reuseInterval: Duration = .seconds(10)

    package init(world: World, keyring: Keyring) {
        self.world = world
        self.keyring = keyring
    }

    /// The refresh token of a session's generation.
    ///
    /// A version byte, the session, the generation and half an HMAC, in base64url.
    func token(_ session: String, _ generation: Int) throws -> String {
        let message = "\(session).\(generation)"
        var bytes: [UInt8] = [0]
        bytes += Hex.decode(session.filter { $0 != "-" })
        var remaining = generation
        while remaining > 0x7F {
            bytes.append(UInt8(remaining & 0x7F | 0x80))
            remaining >>= 7
        }
        bytes.append(UInt8(remaining))
        bytes += Hex.decode(String(try keyring.digest(message).prefix(32)))
        return Base64URL.encode(bytes)
    }

    /// Creates a session with its first token.
    package func startSession(
        _ account: Account, contractData: String, on connection: Connection, at now: Timestamp
    ) throws -> (session: BackendSession, token: String) {
        let session = BackendSession(
            id: RandomTokens.uuid(world), accountID: account.id, realm: account.realm,
            generation: 1, contractData: contractData, createdAt: now)
        let token = try token(session.id, 1)
        try connection.add(session, token: token)
        return (session, token)
    }

    /// Exchanges `token` for its successor in a single write.
    ///
    /// `authorize` throws for a session that may not be refreshed now; the token then stays valid
    /// for a later attempt. `completion` runs in the same write if a token is returned, and gets
    /// whether it was issued for this request.
    package func rotate(
        _ token: String, in realm: Realm, at now: Timestamp, database: TracingDatabase,
        authorize: @escaping @Sendable (BackendSession, Account, Connection) throws -> Void,
        completion: @escaping @Sendable (Account, _ isIssued: Bool, Connection) throws -> Void
    ) async throws -> RefreshFamily.Outcome {
        return try await database.write { connection in
            try rotate(
                token, in: realm, at: now, on: connection, authorize: authorize,
                completion: completion)
        }
    }

    private func rotate(
        _ token: String, in realm: Realm, at now: Timestamp, on connection: Connection,
        authorize: (BackendSession, Account, Connection) throws -> Void,
        completion: (Account, _ isIssued: Bool, Connection) throws -> Void
    ) throws -> RefreshFamily.Outcome {
        let digest = Digest.sha256(token)
        guard let record = try connection.session(ofRefreshToken: digest, in: realm),
            record.session.revokedAt == nil
        else { return .unknown }
        var session = record.session
        try authorize(session, record.account, connection)
        if record.usedAt != nil { try connection.recordReuse(ofRefreshToken: digest, at: now) }
        let newest = session.generation
        if newest > 1, try token == self.token(session.id, newest - 1) {
            try completion(record.account, false, connection)
            return .rotated(session, record.account, token: try self.token(session.id, newest))
        }
        if let usedAt = record.usedAt {
            let hasSuccessor = try connection.hasRefreshToken(
                of: session.id, generation: record.generation + 1)
            let retiredAt = hasSuccessor ? usedAt : min(usedAt, record.issuedAt)
            guard now.isWithin(Self.reuseInterval, of: retiredAt) else {
                try connection.revoke(session: session.id, reason: .refreshTokenReused, at: now)
                return .rejected(session, .reuseDetected)
            }
        }
        let next = try renew(&session, on: connection, at: now)
        try completion(record.account, true, connection)
        return .rotated(session, record.account, token: next)
    }

    /// Issues the next token of a session, inside a write, and retires its earlier ones, which get
    /// no successor if the session `isRaised`: they must not lead to what it may do from now on.
    package func renew(
        _ session: inout BackendSession, isRaised: Bool = false, on connection: Connection,
        at now: Timestamp
    ) throws -> String {
        session.generation += isRaised ? 2 : 1
        session.refreshedAt = now
        let next = try token(session.id, session.generation)
        try connection.rotateRefreshToken(session, retiring: nil, to: Digest.sha256(next), at: now)
        return next
    }
}
