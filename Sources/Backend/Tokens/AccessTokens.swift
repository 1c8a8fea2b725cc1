import Core
import Crypto
import FoundationEssentials
import SQLite
package import Web

/// Signs and validates a contract's access tokens.
///
/// Verifying an ES256 signature costs more than the rest of a response, so the claims of verified
/// tokens are cached by the token's digest.
package final class AccessTokens: Sendable {
    package let keyring: Keyring
    let lifetimes: TokenLifetimes
    private let cachedClaims = SharedCache<String, Claims>(capacity: 8_192)

    /// The claims of a verified token that a request needs.
    package struct Claims: Sendable, Equatable {
        package var subject: String
        /// Its `session_id`; nil for servers whose tokens have none.
        package var sessionID: String?
        /// Its `auth_time`, seconds since 1970.
        var signedInAt: Int64?
        /// Its `aud`, if it is a single string.
        package var audience: String?
        /// Seconds since 1970.
        var expiresAt: Int64

        fileprivate var expiry: Timestamp { Timestamp(seconds: expiresAt) }
    }

    /// The result of validating a bearer token.
    package enum Validation: Sendable, Equatable {
        case valid(Claims)
        /// Signed by this contract, but expired.
        case expired(Claims)
        /// Not signed by this contract, or modified.
        case invalid
    }

    init(keyring: Keyring, lifetimes: TokenLifetimes) {
        self.keyring = keyring
        self.lifetimes = lifetimes
    }

    /// The lifetime of a token: the account's override, else the realm's, else the contract's
    /// default.
    package func lifetime(_ contractDefault: Duration, of account: Account) -> Duration {
        lifetimes.settings.value(of: account.id, TokenLifetimes.realmName, in: account.realm).map {
            .seconds($0)
        } ?? contractDefault
    }

    /// Signs `claims`, which contain at least `sub` and `exp`.
    package func sign(_ claims: JSON, as role: Keyring.Role) throws -> String {
        let token = try keyring.key(role).sign(claims: claims.description)
        if let parsed = Self.parseClaims(claims) { cachedClaims[Digest.sha256(token)] = parsed }
        return token
    }

    /// Records the result in the request's check trace.
    package func validate(_ token: String, at now: Timestamp) -> Validation {
        let validation = validateUntraced(token, at: now)
        trace(validation, of: token, at: now)
        return validation
    }

    private func validateUntraced(_ token: String, at now: Timestamp) -> Validation {
        let digest = Digest.sha256(token)
        let claims: Claims
        if let cached = cachedClaims[digest] {
            claims = cached
        } else {
            guard case .verified = keyring.keySet.verify(token),
                let text = Token(decoding: token).claims,
                let json = try? JSONReader.read(Array(text.utf8)),
                let parsed = Self.parseClaims(json)
            else { return .invalid }
            cachedClaims[digest] = parsed
            claims = parsed
        }
        guard claims.audience != Self.foreignAudience else { return .invalid }
        return now.seconds >= claims.expiresAt ? .expired(claims) : .valid(claims)
    }

    /// The same claims with an expiry one second ago, signed again with the same key; nil unless
    /// this contract's key signed the token.
    func makeExpired(_ token: String, at now: Timestamp) -> String? {
        resign(token) { members in
            let expiresAt = now.seconds - 1
            // `iat` may not be after `exp`, so an older issue time is needed.
            let claims = JSON.object(members)
            if let issuedAt = claims["iat"]?.numericDate, issuedAt >= expiresAt {
                let lifetime = max(1, (claims["exp"]?.numericDate ?? issuedAt) - issuedAt)
                members.set("iat", .int(expiresAt - lifetime))
            }
            members.set("exp", .int(expiresAt))
        }
    }

    /// The same claims for another audience, signed again with the same key; nil unless this
    /// contract's key signed the token.
    func makeWrongAudience(_ token: String) -> String? {
        resign(token) { $0.set("aud", .string(Self.foreignAudience)) }
    }

    /// Nil also, with a log line, if the library fails to sign.
    private func resign(_ token: String, change: (inout [JSON.Member]) -> Void) -> String? {
        let decoded = Token(decoding: token)
        guard case .verified = keyring.keySet.verify(token),
            let key = keyring.key(id: decoded.keyID), let text = decoded.claims,
            case .object(var members)? = try? JSONReader.read(Array(text.utf8))
        else { return nil }
        change(&members)
        do { return try key.sign(claims: JSON.object(members).description) } catch {
            keyring.world.log(
                "backend: \(keyring.contract): couldn't re-sign a token: \(error.detail)")
            return nil
        }
    }

    /// An audience that no token of this backend is issued for.
    static let foreignAudience = "urn:foyer:other"

    /// The claims as read, without verifying the signature.
    package static func parseClaims(_ json: JSON) -> Claims? {
        guard let subject = json["sub"]?.string, let expiresAt = json["exp"]?.numericDate else {
            return nil
        }
        return Claims(
            subject: subject, sessionID: json["session_id"]?.string,
            signedInAt: json["auth_time"]?.numericDate, audience: json["aud"]?.string,
            expiresAt: expiresAt)
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

/// Overrides of the contracts' access token lifetime, for a realm or for one account in it.
struct TokenLifetimes: Sendable {
    let settings: RealmSettings

    /// Accepted lifetimes in seconds, at most a day.
    static let secondsRange = 1...86_400

    /// The name of a realm's own override; that of an account is its id.
    fileprivate static let realmName = ""

    init(database: Database) async throws {
        settings = try await RealmSettings("token_lives", nameColumn: "account", database: database)
    }

    /// The override of an account, or of the realm if `account` is nil; nil for the contract's
    /// default.
    func overrideSeconds(of account: String?, in realm: Realm) -> Int? {
        settings.value(of: account ?? Self.realmName, in: realm)
    }

    /// Sets an override; nil `seconds` restores the contract's default.
    func setLifetime(_ seconds: Int?, of account: String?, in realm: Realm) async throws {
        try await settings.set([account ?? Self.realmName], to: seconds, in: realm)
    }
}

/// Records the validation of a token in the request's check trace.
extension AccessTokens {
    /// Does nothing, not even decode, without a current trace.
    func trace(_ validation: Validation, of token: String, at now: Timestamp) {
        guard CheckTrace.current != nil else { return }
        let size = token.utf8.count
        guard case .invalid = validation else {
            trace(verified: validation, token, size, at: now)
            return
        }
        let decoded = Token(decoding: token)
        guard decoded.isJWT else {
            CheckTrace.record(.jwt, false, "not three JSON parts, \(size) B")
            return
        }
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        let verification = keyring.verifySignature(token)
        let algorithm = decoded.algorithm ?? "none"
        switch verification.status {
        case .unsigned: CheckTrace.record(.algorithm, false, "algorithm is none")
        case .verified:
            CheckTrace.record(.algorithm, true, algorithm)
            CheckTrace.record(.signature, true, decoded.keyID ?? "unnamed key")
            CheckTrace.record(.expiry, false, "sub or exp is missing")
        case .unverified:
            CheckTrace.record(
                .algorithm, false, "\(algorithm), unknown key \(decoded.keyID ?? "(unnamed)")")
        case .invalid, .opaque:
            CheckTrace.record(.algorithm, true, algorithm)
            CheckTrace.record(
                .signature, false, "not signed by \(decoded.keyID ?? "this server's key")")
        }
    }

    private func trace(
        verified validation: Validation, _ token: String, _ size: Int, at now: Timestamp
    ) {
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        CheckTrace.record(.algorithm, true, Token(decoding: token).algorithm ?? "")
        CheckTrace.record(.signature, true, Token(decoding: token).keyID ?? "unnamed key")
        switch validation {
        case .valid(let claims):
            CheckTrace.record(.expiry, true, "expires in \(now.durationText(to: claims.expiry))")
        case .expired(let claims):
            CheckTrace.record(.expiry, false, "expired \(claims.expiry.durationText(to: now)) ago")
        case .invalid: break
        }
    }
}

extension CheckTrace {
    /// Records whether a token's session is active.
    static func record(session: BackendSession?) {
        guard let session else {
            record(.session, false, "session not found")
            return
        }
        let reason = session.revocationReason ?? "revoked"
        record(
            .session, session.revokedAt == nil,
            session.revokedAt == nil ? session.id : reason)
    }
}
