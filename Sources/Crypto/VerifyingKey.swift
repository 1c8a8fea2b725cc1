import CRhonabwy
import Core

/// One key of a set, with the single algorithm it verifies.
struct VerifyingKey: Sendable {
    let jwk: JWK
    let algorithm: String
    let keyID: String?
    /// The shared secret of an HMAC key.
    private let sharedSecret: [UInt8]?

    /// Nil if the key is not for signatures, or is unsupported.
    init?(_ key: JWK) {
        guard key.text("use") ?? "sig" == "sig", let algorithm = Self.algorithm(of: key) else {
            return nil
        }
        self.jwk = key
        self.algorithm = algorithm
        keyID = key.text("kid")
        sharedSecret = key.symmetricBytes
        if algorithm.hasPrefix("HS") && (sharedSecret ?? []).isEmpty { return nil }
    }

    /// The algorithms that a key of a type may name, its default first (RFC 7518, section 3.1; RFC
    /// 8037, section 3.1).
    private static let algorithms = [
        "oct": ["HS256", "HS384", "HS512"],
        "RSA": ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
        "EC P-256": ["ES256"],
        "EC P-384": ["ES384"],
        "EC P-521": ["ES512"],
        "OKP Ed25519": ["EdDSA"],
    ]

    /// The algorithm that the key names, if its type allows it, otherwise nil; without a name the
    /// default of its type.
    static func algorithm(of key: JWK) -> String? {
        let parts = [key.text("kty"), key.text("crv")].compactMap { $0 }
        let allowed = algorithms[parts.joined(separator: " ")] ?? []
        guard let declared = key.text("alg") else { return allowed.first }
        return allowed.contains(declared) ? declared : nil
    }

    /// Whether this key signed `token`, whose header names `algorithm`.
    func verifies(_ token: String) -> Bool {
        sharedSecret.map { Self.verifies(token, algorithm, secret: $0) }
            ?? verifiesWithRhonabwy(token)
    }

    private func verifiesWithRhonabwy(_ token: String) -> Bool {
        var jws: UnsafeMutablePointer<jws_t>?
        guard r_jws_init(&jws) == RHN_OK else { return false }
        defer { r_jws_free(jws) }
        var token = token
        // No flag: the header must not supply a key.
        let parsed = token.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                r_jws_advanced_compact_parsen(
                    jws, characters.baseAddress, characters.count, UInt32(R_PARSE_NONE),
                    Rhonabwy.ignoreRemoteKeys)
            }
        }
        return parsed == RHN_OK && r_jws_get_alg(jws) == r_str_to_jwa_alg(algorithm)
            && jwk.withPointer({ r_jws_verify_signature(jws, $0, Rhonabwy.ignoreRemoteKeys) })
                == RHN_OK
    }

    /// HMAC is verified here: rhonabwy before 1.1.14 compares it with `strcmp`, whose duration
    /// reveals how much was right (CVE-2024-25714).
    private static func verifies(_ token: String, _ algorithm: String, secret: [UInt8]) -> Bool {
        guard let dot = token.utf8.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(token[token.utf8.index(after: dot)...])
        else { return false }
        let kind =
            switch algorithm {
            case "HS384": GNUTLS_MAC_SHA384
            case "HS512": GNUTLS_MAC_SHA512
            default: GNUTLS_MAC_SHA256
            }
        let expected = Digest.hmac(kind, Array(token[..<dot].utf8), key: secret)
        return Digest.constantTimeEquals(signature, expected)
    }
}
