import CRhonabwy

/// Encrypts values at rest as compact JWE (RFC 7516), `dir` with A256GCM.
package struct Sealer: Sendable {
    /// Parsed once; sealing and opening only read it.
    private let key: JWK

    /// `key` is 32 bytes.
    package init(key: [UInt8]) throws(CryptoError) {
        guard key.count == 32 else {
            throw CryptoError(kind: .malformed, detail: "a sealing key is 32 bytes long")
        }
        self.key = try JWK.makeSymmetric(key)
    }

    /// A compact JWE, different each time for the same text.
    package func seal(_ text: String) throws(CryptoError) -> String {
        var jwe: UnsafeMutablePointer<jwe_t>?
        try Rhonabwy.check(r_jwe_init(&jwe), "sealing")
        defer { r_jwe_free(jwe) }
        try Rhonabwy.check(r_jwe_set_alg(jwe, R_JWA_ALG_DIR), "sealing")
        try Rhonabwy.check(r_jwe_set_enc(jwe, R_JWA_ENC_A256GCM), "sealing")
        // Rhonabwy has no empty payload, so NUL is prepended to an empty text, and then also to a
        // text that starts with NUL.
        var text = text.utf8.first ?? 0 == 0 ? "\0" + text : text
        let code = text.withUTF8 { bytes in r_jwe_set_payload(jwe, bytes.baseAddress, bytes.count) }
        try Rhonabwy.check(code, "sealing")
        return try Rhonabwy.takeString(
            key.withPointer { r_jwe_serialize(jwe, $0, Rhonabwy.ignoreRemoteKeys) }, "sealing")
    }

    /// Throws `.wrongKey` when `sealed` was made with another key or changed, `.malformed` when it
    /// was never sealed.
    package func open(_ sealed: String) throws(CryptoError) -> String {
        var jwe: UnsafeMutablePointer<jwe_t>?
        try Rhonabwy.check(r_jwe_init(&jwe), "opening")
        defer { r_jwe_free(jwe) }
        var sealed = sealed
        // A C string would end at a NUL and hide what follows.
        let hasNoNUL = !sealed.utf8.contains(0)
        let parsed = sealed.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                r_jwe_advanced_compact_parsen(
                    jwe, characters.baseAddress, characters.count, UInt32(R_PARSE_NONE),
                    Rhonabwy.ignoreRemoteKeys)
            }
        }
        // Foyer fixes the algorithms, not the text; and it never compresses.
        guard hasNoNUL, parsed == RHN_OK, r_jwe_get_alg(jwe) == R_JWA_ALG_DIR,
            r_jwe_get_enc(jwe) == R_JWA_ENC_A256GCM, r_jwe_get_header_str_value(jwe, "zip") == nil
        else {
            throw CryptoError(kind: .malformed, detail: "this value was not encrypted by Foyer")
        }
        guard key.withPointer({ r_jwe_decrypt(jwe, $0, Rhonabwy.ignoreRemoteKeys) }) == RHN_OK
        else {
            throw CryptoError(
                kind: .wrongKey, detail: "this value was encrypted with another key, or changed")
        }
        var count = 0
        guard let start = r_jwe_get_payload(jwe, &count) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: count)
        let text = bytes.first == 0 ? bytes.dropFirst() : bytes[...]
        return String(decoding: text, as: UTF8.self)
    }
}
