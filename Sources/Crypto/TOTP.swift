import CRhonabwy
import Core

/// Time-based one-time passwords (RFC 6238) as authenticator apps compute them: HMAC-SHA-1, steps
/// of 30 seconds, and six digits.
package enum TOTP {
    /// The length of a step in seconds.
    package static let period: Int64 = 30
    /// The length of a new secret in bytes, as that of the digest (RFC 4226, section 4).
    package static let secretByteCount = 20

    /// The code of one step, in decimal with leading zeros (RFC 4226, section 5.3).
    package static func code(of secret: [UInt8], step: Int64, digits: Int = 6) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let digest = Digest.hmac(GNUTLS_MAC_SHA1, counter, key: secret)
        let offset = Int(digest[digest.count - 1] & 0x0F)
        let number = digest[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var remainder = number & 0x7FFF_FFFF
        var text: [Character] = []
        for _ in 0..<digits {
            text.insert(Character("\(remainder % 10)"), at: 0)
            remainder /= 10
        }
        return String(text)
    }

    /// The step whose code this is: the current one, or one before or after it, because clocks
    /// differ (RFC 6238, section 5.2). Nil if it is none of them.
    package static func step(of code: String, secret: [UInt8], at seconds: Int64) -> Int64? {
        let current = seconds / period
        return [current, current - 1, current + 1].first {
            Digest.constantTimeEquals(Array(code.utf8), Array(Self.code(of: secret, step: $0).utf8))
        }
    }
}

/// Base32 (RFC 4648, section 6) without padding, as secrets of authenticator apps are written.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Accepts lower case and padding; nil for any other character.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.uppercased().utf8 where character != UInt8(ascii: "=") {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }
}
