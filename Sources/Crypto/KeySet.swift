import CRhonabwy

/// The keys that tokens may be verified with (RFC 7517).
///
/// The algorithm is taken from the key, never from the token.
package struct KeySet: Sendable {
    private let keys: [VerifyingKey]

    package init() { keys = [] }

    /// The public keys of a JWK set's JSON text; unsupported keys are skipped.
    package init(jwks: String) throws(CryptoError) {
        let parsed = JSONObject(Array(jwks.utf8))?.withPointer(Self.parseKeys(ofSet:))
        guard let keys = parsed ?? nil else {
            throw CryptoError(
                kind: .malformed, detail: "a JWK set is a JSON object with an array \"keys\"")
        }
        self.keys = keys
    }

    /// The supported keys; nil if this is not a JWK set.
    private static func parseKeys(ofSet set: UnsafeMutablePointer<json_t>) -> [VerifyingKey]? {
        guard let list = json_object_get(set, "keys"), list.pointee.type == JSON_ARRAY else {
            return nil
        }
        return (0..<json_array_size(list)).compactMap { index in
            guard let object = json_array_get(list, index), object.pointee.type == JSON_OBJECT,
                // A public key, or a shared secret.
                let key = try? JWK.makeFromJSON(object, members: JWK.publicMembers + ["k"])
            else { return nil }
            return VerifyingKey(key)
        }
    }

    /// The verifying halves of Foyer's own signing keys.
    package init(_ keys: [SigningKey]) throws(CryptoError) {
        var verifying: [VerifyingKey] = []
        for key in keys {
            let verifyingJWK = try key.jwk.makePublicKey() ?? key.jwk
            if let key = VerifyingKey(verifyingJWK) { verifying.append(key) }
        }
        self.keys = verifying
    }

    package var isEmpty: Bool { keys.isEmpty }

    /// The set as JSON text with public halves only, as published at a JWKS URL.
    package func jwks() throws(CryptoError) -> String {
        var texts: [String] = []
        for key in keys {
            if let publicKey = try key.jwk.makePublicKey() { texts.append(try publicKey.json()) }
        }
        return "{\"keys\":[" + texts.joined(separator: ",") + "]}"
    }

    /// Verifies only the signature, not the expiry.
    package func verify(_ token: String) -> SignatureStatus {
        let decoded = Token(decoding: token)
        guard decoded.isJWT else { return .opaque }
        guard let algorithm = decoded.algorithm else {
            return .unverified(reason: "its header has no algorithm")
        }
        guard algorithm.lowercased() != "none" else { return .unsigned }
        // RFC 7515, 4.1.11: a recipient that does not understand `crit` must reject the token.
        // `zip` is not a JWS header, but rhonabwy would inflate the payload because of it.
        if let member = decoded.unsupportedHeader {
            return .unverified(reason: "its header uses \"\(member)\", which is not supported")
        }
        return verify(token, algorithm: algorithm, keyID: decoded.keyID)
    }

    private func verify(_ token: String, algorithm: String, keyID: String?) -> SignatureStatus {
        guard !keys.isEmpty else { return .unverified(reason: "no key is available") }
        // `kid` selects. Without one, or if no key has it, the candidates are the keys of that
        // algorithm which it cannot exclude.
        var candidates = keys.filter { keyID != nil && $0.keyID == keyID }
        if candidates.isEmpty {
            candidates = keys.filter {
                $0.algorithm == algorithm && (keyID == nil || $0.keyID == nil)
            }
        }
        guard let first = candidates.first else {
            return .unverified(
                reason: keyID == nil
                    ? "no key is available for its algorithm" : "no key has its id (kid)")
        }
        for key in candidates where key.algorithm == algorithm && key.verifies(token) {
            return .verified(algorithm: key.algorithm, keyID: key.keyID)
        }
        return .invalid(algorithm: first.algorithm, keyID: first.keyID)
    }
}

/// Result of verifying a token's signature; does not consider the expiry.
package enum SignatureStatus: Sendable, Equatable {
    /// Verified with the key `keyID` of algorithm `algorithm`.
    case verified(algorithm: String, keyID: String?)
    /// No suitable key is known.
    case unverified(reason: String)
    /// Verification with the matching key failed.
    case invalid(algorithm: String, keyID: String?)
    /// `alg` is `none`.
    case unsigned
    /// Not a JWT.
    case opaque
}
