/// Percent-encoding (RFC 3986, 2.1).
package enum PercentEncoding {
    /// The decoded bytes, nil if an escape is malformed; with `plusIsSpace`, as in forms, `+` is a
    /// space.
    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.endIndex, let high = bytes[index + 1].hexDigitValue,
                    let low = bytes[index + 2].hexDigitValue
                else { return nil }
                out.append(high << 4 | low)
                index += 3
                continue
            }
            out.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            index += 1
        }
        return out
    }

    /// The decoded text; nil if an escape is malformed or the bytes are not UTF-8.
    package static func decodedText(_ escaped: Substring, plusIsSpace: Bool = false) -> String? {
        decode(Array(escaped.utf8)[...], plusIsSpace: plusIsSpace).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }

    /// Escapes everything but unreserved characters, with upper-case hex digits.
    package static func encode(_ text: String, spaceAsPlus: Bool = false) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        return String(decoding: encode(text.utf8, spaceAsPlus: spaceAsPlus), as: UTF8.self)
    }

    /// Escapes bytes; with `spaceAsPlus`, as in forms, a space becomes `+`, and with `lowerCase`
    /// the hex digits are lower case.
    package static func encode(
        _ bytes: some Collection<UInt8>, spaceAsPlus: Bool = false, lowerCase: Bool = false
    ) -> [UInt8] {
        let letters = UInt8(ascii: lowerCase ? "a" : "A") - 10
        func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : letters) }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            if isUnreserved(byte) {
                out.append(byte)
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                out.append(UInt8(ascii: "+"))
            } else {
                out.append(UInt8(ascii: "%"))
                out.append(digit(byte >> 4))
                out.append(digit(byte & 15))
            }
        }
        return out
    }

    /// Unreserved characters (RFC 3986, 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
    }
}
