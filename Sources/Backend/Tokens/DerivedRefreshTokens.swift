package import Core
import Crypto
package import SQLite
import Web

/// Refresh tokens derived from session and generation, so a token's successor can be computed
/// again.
///
/// A client whose response was lost may present its token again at any time and gets the same
/// successor, and so do concurrent requests. Older tokens are accepted within the reuse interval;
/// after that, using one ends its session.
package struct DerivedRefreshTokens: Sendable {
    let world: World
    /// Has a `code` key.
    let keyring: Keyring
    var reuseInterval: Duration = .seconds(10)

    package init(world: World, keyring: Keyring, reuseInterval: Duration = .seconds(10)) {
        self.world = world
        self.keyring = keyring
        self.reuseInterval = reuseInterval
    }

    /// The result of presenting a refresh token.
    package enum Outcome: Sendable {
        case refreshed(BackendSession, Account, token: String)
        /// Never issued, or its session had already ended.
        case unknown
        /// This reuse ended the session.
        case reuseDetected
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
        try connection.add(session)
        try connection.addRefreshToken(
            digest: Digest.sha256(token), session: session.id, generation: 1, at: now)
        return (session, token)
    }

    /// Exchanges `token` for its successor in a single write.
    package func rotate(
        _ token: String, in realm: Realm, at now: Timestamp, database: TracingDatabase
    ) async throws -> Outcome {
        let digest = Digest.sha256(token)
        return try await database.write { connection in
            guard let record = try connection.session(ofRefreshToken: digest, in: realm),
                record.session.revokedAt == nil
            else { return .unknown }
            var session = record.session
            if record.usedAt != nil { try connection.recordReuse(ofRefreshToken: digest, at: now) }
            let newest = session.generation
            if newest > 1, try token == self.token(session.id, newest - 1) {
                return .refreshed(
                    session, record.account, token: try self.token(session.id, newest))
            }
            if let usedAt = record.usedAt, !now.isWithin(reuseInterval, of: usedAt) {
                try connection.revoke(session: session.id, reason: .refreshTokenReused, at: now)
                return .reuseDetected
            }
            session.generation += 1
            session.refreshedAt = now
            let next = try self.token(session.id, session.generation)
            try connection.rotateRefreshToken(
                session, retiring: nil, to: Digest.sha256(next), at: now)
            return .refreshed(session, record.account, token: next)
        }
    }
}
