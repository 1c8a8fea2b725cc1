import CRhonabwy

extension SigningKey {
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
