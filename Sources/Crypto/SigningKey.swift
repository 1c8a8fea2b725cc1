import CRhonabwy
import Core

/// A key that signs tokens: HS256, RS256, ES256 or EdDSA.
package struct SigningKey: Sendable {
    /// A JWS algorithm by its name (RFC 7518, section 3.1; RFC 8037, section 3.1).
    package enum Algorithm: String, Sendable, CaseIterable {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
        case edDSA = "EdDSA"
    }

    package let algorithm: Algorithm
    package let keyID: String
    /// Parsed once; signing only reads it.
    let jwk: JWK

    /// Generates a key. RSA has 2048 bits and takes some tenths of a second.
    package static func generate(_ algorithm: Algorithm, keyID: String) throws(CryptoError)
        -> SigningKey
    {
        let kind: (type: Int32, bits: UInt32)
        switch algorithm {
        case .hs256: return try SigningKey(secret: Digest.randomBytes(32), keyID: keyID)
        case .rs256: kind = (R_KEY_TYPE_RSA, 2048)
        case .es256: kind = (R_KEY_TYPE_EC, 256)
        case .edDSA: kind = (R_KEY_TYPE_EDDSA, 256)
        }
        let key = try JWK.makeEmpty()
        let publicKey = try JWK.makeEmpty()
        try Rhonabwy.check(
            key.withPointer { key in
                publicKey.withPointer { publicKey in
                    r_jwk_generate_key_pair(key, publicKey, kind.type, kind.bits, keyID)
                }
            }, "creating a key")
        return try SigningKey(key, algorithm, keyID)
    }

    /// Parses a private JWK's JSON text, as `privateJWK` returns it.
    package init(privateJWK: String) throws(CryptoError) {
        guard let object = JSONObject(Array(privateJWK.utf8)) else {
            throw CryptoError(kind: .malformed, detail: "the key is not JSON")
        }
        let key = try object.withPointer { pointer throws(CryptoError) in
            try JWK.makeFromJSON(pointer, members: JWK.publicMembers + JWK.secretMembers)
        }
        let secret = R_KEY_TYPE_PRIVATE | R_KEY_TYPE_SYMMETRIC
        guard key.keyType.flags & secret != 0 else {
            throw CryptoError(kind: .malformed, detail: "the key has no private part")
        }
        guard let name = VerifyingKey.algorithm(of: key), let algorithm = Algorithm(rawValue: name)
        else {
            throw CryptoError(kind: .unsupported, detail: "no algorithm can sign with this key")
        }
        try self.init(key, algorithm, key.text("kid") ?? "")
    }

    /// An HS256 key of these bytes.
    package init(secret: [UInt8], keyID: String) throws(CryptoError) {
        guard !secret.isEmpty else {
            throw CryptoError(kind: .malformed, detail: "the secret is empty")
        }
        try self.init(JWK.makeSymmetric(secret), .hs256, keyID)
    }

    private init(_ key: JWK, _ algorithm: Algorithm, _ keyID: String) throws(CryptoError) {
        guard !keyID.isEmpty else {
            throw CryptoError(kind: .malformed, detail: "a signing key needs an id (kid)")
        }
        try key.set("kid", keyID)
        try key.set("alg", algorithm.rawValue)
        try key.set("use", "sig")
        if algorithm == .es256 { try key.padNumbers(to: 32) }
        self.jwk = key
        self.algorithm = algorithm
        self.keyID = keyID
    }

    /// JSON text with the private half; sealed before it is stored.
    package func privateJWK() throws(CryptoError) -> String { try jwk.json() }

    /// Signs `claims` (JSON text, preserved byte for byte) as a compact JWS.
    package func sign(claims: String, type: String = "JWT") throws(CryptoError) -> String {
        var jws: UnsafeMutablePointer<jws_t>?
        try Rhonabwy.check(r_jws_init(&jws), "signing")
        defer { r_jws_free(jws) }
        let bytes = Array(claims.utf8)
        try Rhonabwy.check(r_jws_set_payload(jws, bytes, bytes.count), "signing")
        try Rhonabwy.check(r_jws_set_alg(jws, r_str_to_jwa_alg(algorithm.rawValue)), "signing")
        try Rhonabwy.check(r_jws_set_header_str_value(jws, "typ", type), "signing")
        try Rhonabwy.check(r_jws_set_header_str_value(jws, "kid", keyID), "signing")
        return try Rhonabwy.takeString(
            jwk.withPointer { r_jws_serialize(jws, $0, Rhonabwy.ignoreRemoteKeys) }, "signing")
    }

    // MARK: Certificate

    /// A self-signed certificate of the public half in PEM.
    ///
    /// It proves nothing: it is the format in which some servers publish their keys. The times are
    /// seconds since 1970; nil for HS256, which has no public half.
    package func makeCertificate(of name: String, from start: Int, until end: Int)
        throws(CryptoError) -> String?
    {
        guard algorithm != .hs256 else { return nil }
        guard let privateKey = jwk.withPointer({ r_jwk_export_to_gnutls_privkey($0) }) else {
            throw CryptoError(kind: .library, detail: "no key to certify")
        }
        defer { gnutls_privkey_deinit(privateKey) }
        var publicKey: gnutls_pubkey_t?
        try Self.check(gnutls_pubkey_init(&publicKey))
        defer { gnutls_pubkey_deinit(publicKey) }
        var certificate: gnutls_x509_crt_t?
        try Self.check(gnutls_x509_crt_init(&certificate))
        defer { gnutls_x509_crt_deinit(certificate) }
        // Positive, and the same for the same key.
        let serial = Array(Digest.sha256(keyID).utf8.prefix(8))
        try Self.check(gnutls_pubkey_import_privkey(publicKey, privateKey, 0, 0))
        try Self.check(gnutls_x509_crt_set_version(certificate, 3))
        try Self.check(gnutls_x509_crt_set_serial(certificate, serial, serial.count))
        try Self.check(gnutls_x509_crt_set_dn(certificate, "CN=\(name)", nil))
        try Self.check(gnutls_x509_crt_set_activation_time(certificate, start))
        try Self.check(gnutls_x509_crt_set_expiration_time(certificate, end))
        try Self.check(gnutls_x509_crt_set_pubkey(certificate, publicKey))
        // Unknown selects the digest that belongs to the key.
        try Self.check(
            gnutls_x509_crt_privkey_sign(
                certificate, certificate, privateKey, GNUTLS_DIG_UNKNOWN, 0))
        // A certificate for RSA with 4096 bits has half as many bytes.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var count = bytes.count
        try Self.check(gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_PEM, &bytes, &count))
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func check(_ code: Int32) throws(CryptoError) {
        guard code < 0 else { return }
        throw CryptoError(kind: .library, detail: "creating a certificate failed (\(code))")
    }
}

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
