import Core
import Crypto
import SQLite
import Web

/// Refresh tokens that can be told again: each is derived from its session
/// and generation, so the one that follows a used one need not be kept.
///
/// A client whose answer was lost comes again with the token it has, at any
/// time, and is given the same next one; so are requests that left at once.
/// Older tokens count for the reuse interval; later, one ends its session.
struct DerivedRefreshTokens: Sendable {
    let world: World
    /// Has a key for codes.
    let keyring: Keyring
    var reuseInterval: Duration = .seconds(10)

    /// What came of presenting a refresh token.
    enum Outcome: Sendable {
        case refreshed(BackendSession, Account, token: String)
        /// Never handed out, or its session had ended before.
        case unknown
        /// This reuse ended the session.
        case reuseDetected
    }

    /// The token of a session's generation.
    ///
    /// A version, the session, the generation and half an HMAC in base 64.
    func token(_ session: String, _ generation: Int) throws -> String {
        let place = "\(session).\(generation)"
        var bytes: [UInt8] = [0]
        bytes += Self.hexBytes(session.filter { $0 != "-" })
        var rest = generation
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        bytes += Self.hexBytes(String(try keyring.digest(place).prefix(32)))
        return Base64URL.encode(bytes)
    }

    /// Opens a session with its first token.
    func startSession(
        _ account: Account, contractData: String, on connection: Connection, at now: Timestamp
    ) throws
        -> (session: BackendSession, token: String)
    {
        let session = BackendSession(
            id: RandomTokens.uuid(world), accountID: account.id, realm: account.realm,
            generation: 1,
            contractData: contractData, createdAt: now)
        let token = try token(session.id, 1)
        try connection.add(session)
        try connection.addRefreshToken(
            digest: Digest.sha256(token), session: session.id, generation: 1, at: now)
        return (session, token)
    }

    /// Exchanges `token` for the one that follows it, in one write of its
    /// own.
    func rotate(_ token: String, in realm: Realm, at now: Timestamp, database: TracingDatabase)
        async throws -> Outcome
    {
        let digest = Digest.sha256(token)
        return try await database.write { connection in
            guard let found = try connection.session(ofRefreshToken: digest, in: realm),
                found.session.revokedAt == nil
            else { return .unknown }
            var session = found.session
            if found.usedAt != nil { try connection.recordReuse(ofRefreshToken: digest, at: now) }
            let newest = session.generation
            if newest > 1, try token == self.token(session.id, newest - 1) {
                return .refreshed(session, found.account, token: try self.token(session.id, newest))
            }
            if let usedAt = found.usedAt, !now.isWithin(reuseInterval, of: usedAt) {
                try connection.revoke(session: session.id, reason: .refreshTokenReused, at: now)
                return .reuseDetected
            }
            session.generation += 1
            session.refreshedAt = now
            let next = try self.token(session.id, session.generation)
            try connection.rotateRefreshToken(
                session, retiring: nil, to: Digest.sha256(next), at: now)
            return .refreshed(session, found.account, token: next)
        }
    }

    /// The bytes an even number of hex digits stands for.
    private static func hexBytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
