import CRhonabwy
import Core

/// Digests and constant-time comparisons.
package enum Digest {
    /// SHA-256 as lower-case hex, for storing one-time codes and refresh tokens irreversibly.
    package static func sha256(_ text: String) -> String {
        var text = text
        return hex { digest in
            text.withUTF8 { bytes in
                gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, digest)
            }
        }
    }

    /// The S256 code challenge of a proof key's verifier (RFC 7636, 4.2).
    package static func codeChallenge(of verifier: String) -> String {
        Base64URL.encode(Hex.decode(sha256(verifier)))
    }

    /// HMAC-SHA-256 (RFC 2104) as lower-case hex.
    package static func hmac(_ text: String, key: [UInt8]) -> String {
        var text = text
        return hex { digest in
            text.withUTF8 { bytes in
                gnutls_hmac_fast(
                    GNUTLS_MAC_SHA256, key, key.count, bytes.baseAddress, bytes.count, digest)
            }
        }
    }

    /// Equality whose duration does not depend on the position of the difference.
    static func constantTimeEquals(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && gnutls_memcmp(a, b, a.count) == 0
    }

    /// An HMAC's bytes.
    static func hmac(_ kind: gnutls_mac_algorithm_t, _ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let count = Int(gnutls_hmac_get_len(kind))
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            let code = gnutls_hmac_fast(
                kind, key, key.count, bytes, bytes.count, buffer.baseAddress)
            precondition(code == 0, "GnuTLS lacks this HMAC")
            used = count
        }
    }

    /// Unpredictable bytes, fit for keys.
    static func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard gnutls_rnd(GNUTLS_RND_KEY, &bytes, count) == 0 else {
            throw CryptoError(kind: .library, detail: "no random bytes available")
        }
        return bytes
    }

    /// 64 hex characters of the 32 bytes that `fill` writes.
    ///
    /// `fill` returns GnuTLS' code; it is 0 unless the library lacks SHA-256, without which the
    /// program could not start.
    private static func hex(_ fill: (UnsafeMutableRawPointer) -> Int32) -> String {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
            guard let start = digest.baseAddress, fill(start) == 0 else {
                preconditionFailure("GnuTLS has no SHA-256")
            }
            return Hex.encode(digest)
        }
    }
}
