import Core
import Crypto
import FoundationEssentials
import Synchronization
import Web

/// Signs a contract's access tokens and recognises them again.
///
/// Checking an ES256 signature costs more than everything else an answer
/// needs, so what was found true once is remembered by the token's digest.
final class AccessTokens: Sendable {
    let keyring: Keyring
    let lifetimes: TokenLifetimes
    private let cache = Mutex(ClaimsCache())

    /// Tokens remembered at once; the oldest half is then forgotten.
    private static let cacheCapacity = 8_192

    fileprivate struct ClaimsCache {
        var recent: [String: Claims] = [:]
        var previous: [String: Claims] = [:]
    }

    /// What a request needs of a token whose signature holds.
    struct Claims: Sendable, Equatable {
        var subject: String
        /// Its `session_id`; some servers' tokens name no session.
        var sessionID: String?
        /// Its `auth_time`, seconds since 1970.
        var signedInAt: Int64?
        /// Its `aud`, if that is one text: where it is good.
        var audience: String?
        /// Seconds since 1970.
        var expiresAt: Int64
    }

    /// What a bearer value turned out to be.
    enum Validation: Sendable, Equatable {
        case valid(Claims)
        /// Ours, but its time is over.
        case expired(Claims)
        /// Not ours, or changed.
        case invalid
    }

    init(keyring: Keyring, lifetimes: TokenLifetimes) {
        self.keyring = keyring
        self.lifetimes = lifetimes
    }

    /// How long a token for `account` lives, if the contract's own rule is
    /// `contract`.
    func lifetime(_ contract: Duration, of account: Account) -> Duration {
        lifetimes.lifetime(contract, of: account)
    }

    /// Signs `claims`, which hold at least `sub` and `exp`.
    func sign(_ claims: JSON, as role: Keyring.Role) throws -> String {
        let token = try keyring.key(role).sign(claims: claims.description)
        if let read = Self.parseClaims(claims) { cacheClaims(read, for: Digest.sha256(token)) }
        return token
    }

    /// What is found is noted on the request's trail.
    func validate(_ token: String, at now: Timestamp) -> Validation {
        let reading = validateUntraced(token, at: now)
        trace(reading, of: token, at: now)
        return reading
    }

    private func validateUntraced(_ token: String, at now: Timestamp) -> Validation {
        let digest = Digest.sha256(token)
        let claims: Claims
        if let known = cache.withLock({ $0.claims(for: digest) }) {
            claims = known
        } else {
            guard case .verified = keyring.keySet.verify(token),
                let text = Token(decoding: token).claims,
                let json = try? JSONReader.read(Array(text.utf8)), let read = Self.parseClaims(json)
            else { return .invalid }
            cacheClaims(read, for: digest)
            claims = read
        }
        guard claims.audience != Self.foreignAudience else { return .invalid }
        return now.seconds >= claims.expiresAt ? .expired(claims) : .valid(claims)
    }

    /// The same claims, ended a second ago, signed anew by the same key; nil
    /// unless the signature is ours.
    func makeExpired(_ token: String, at now: Timestamp) -> String? {
        let decoded = Token(decoding: token)
        guard case .verified = keyring.keySet.verify(token),
            let key = keyring.key(id: decoded.keyID),
            let text = decoded.claims,
            case .object(var members)? = try? JSONReader.read(Array(text.utf8))
        else { return nil }
        let end = now.seconds - 1
        // Nothing ends before it began: an old token was issued earlier.
        let claims = JSON.object(members)
        if let issued = claims["iat"]?.numericDate, issued >= end {
            let life = max(1, (claims["exp"]?.numericDate ?? issued) - issued)
            members.set("iat", .int(end - life))
        }
        members.set("exp", .int(end))
        return signOrLog(members, with: key)
    }

    /// The same claims for somebody else, signed anew by the same key; nil
    /// unless the signature is ours.
    func makeWrongAudience(_ token: String) -> String? {
        let decoded = Token(decoding: token)
        guard case .verified = keyring.keySet.verify(token),
            let key = keyring.key(id: decoded.keyID),
            let text = decoded.claims,
            case .object(var members)? = try? JSONReader.read(Array(text.utf8))
        else { return nil }
        members.set("aud", .string(Self.foreignAudience))
        return signOrLog(members, with: key)
    }

    /// Nil, and a line in the log, if the library refuses.
    private func signOrLog(_ claims: [JSON.Member], with key: SigningKey) -> String? {
        do { return try key.sign(claims: JSON.object(claims).description) } catch {
            keyring.world.log(
                "backend: \(keyring.contract): a token could not be signed "
                    + "anew: \(error.detail)")
            return nil
        }
    }

    /// Whom no token of ours is for.
    static let foreignAudience = "urn:foyer:somebody-else"

    private func cacheClaims(_ claims: Claims, for digest: String) {
        cache.withLock { remembered in
            if remembered.recent.count >= Self.cacheCapacity / 2 {
                remembered.previous = remembered.recent
                remembered.recent = [:]
            }
            remembered.recent[digest] = claims
        }
    }

    /// What claims say of themselves, whoever signed them.
    static func unverifiedClaims(_ json: JSON) -> Claims? { parseClaims(json) }

    private static func parseClaims(_ json: JSON) -> Claims? {
        guard let subject = json["sub"]?.string, let end = json["exp"]?.numericDate else {
            return nil
        }
        return Claims(
            subject: subject, sessionID: json["session_id"]?.string,
            signedInAt: json["auth_time"]?.numericDate, audience: json["aud"]?.string,
            expiresAt: end)
    }
}

extension AccessTokens.ClaimsCache {
    fileprivate func claims(for digest: String) -> AccessTokens.Claims? {
        recent[digest] ?? previous[digest]
    }
}

extension [JSON.Member] {
    fileprivate mutating func set(_ name: String, _ value: JSON) {
        if let index = firstIndex(where: { $0.name == name }) {
            self[index].value = value
        } else {
            append(.init(name, value))
        }
    }
}
