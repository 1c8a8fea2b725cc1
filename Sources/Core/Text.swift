import FoundationEssentials

/// Base64 with the URL alphabet, without padding (RFC 4648, 5; RFC 7515, 2).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Nil if `text` has a character outside the alphabet or an invalid length.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3 + 2)
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return bytes
    }

    /// Each character's six bits, 255 for one outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, character) in alphabet.utf8.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()
}

/// Lowercase hexadecimal digits, two for a byte.
package enum Hex {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// The bytes of an even number of digits; other characters are skipped.
    package static func decode(_ text: some StringProtocol) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}

/// Secret comparison whose duration does not depend on how many bytes agree.
package enum ConstantTime {
    /// Compares every byte of `offered`, independent of `secret`.
    package static func areEqual(_ offered: String, _ secret: String) -> Bool {
        let secret = Array(secret.utf8)
        guard !secret.isEmpty else { return offered.isEmpty }
        var difference = UInt8(offered.utf8.count == secret.count ? 0 : 1)
        for (index, byte) in offered.utf8.enumerated() {
            difference |= byte ^ secret[index % secret.count]
        }
        return difference == 0
    }
}

extension String {
    /// The string without these ASCII characters at both ends.
    package func trimming(_ characters: String) -> String {
        var trimmed = self[...]
        while let first = trimmed.first, characters.contains(first) {
            trimmed = trimmed.dropFirst()
        }
        while let last = trimmed.last, characters.contains(last) { trimmed = trimmed.dropLast() }
        return String(trimmed)
    }
}
