import FoundationEssentials
import Web

/// The encodings in which a secret may be transmitted.
enum SecretEncodings {
    /// Raw, JSON-escaped, form- and percent-encoded in either case, base64.
    static func all(of secret: String) -> Set<[UInt8]> {
        let raw = Array(secret.utf8)
        var encodings: Set<[UInt8]> = [raw]
        if raw.count >= 4 {
            // Matches with or without padding.
            let base64 = Data(raw).base64EncodedString().utf8.filter { $0 != UInt8(ascii: "=") }
            encodings.insert(base64)
            encodings.insert(
                base64.map {
                    switch $0 {
                    case UInt8(ascii: "+"): UInt8(ascii: "-")
                    case UInt8(ascii: "/"): UInt8(ascii: "_")
                    default: $0
                    }
                })
        }
        // True for most tokens: no other encoding changes them.
        guard !raw.allSatisfy(PercentEncoding.isUnreserved) else { return encodings }
        // The inside of the JSON string, with `/` escaped or not.
        let json = Array(JSON.string(secret).bytes.dropFirst().dropLast())
        encodings.insert(json)
        encodings.insert(json.flatMap { $0 == UInt8(ascii: "/") ? Array(#"\/"#.utf8) : [$0] })
        // As PHP, Python, Go and Rails encode JSON.
        for upper in [true, false] {
            for html in [true, false] {
                encodings.insert(asciiJSON(json, upper: upper, html: html))
            }
        }
        encodings.insert(htmlEntities(secret))
        for lowerCase in [false, true] {
            for spaceAsPlus in [true, false] {
                encodings.insert(
                    PercentEncoding.encode(raw, spaceAsPlus: spaceAsPlus, lowerCase: lowerCase))
            }
        }
        return encodings
    }

    /// The inside of a JSON string with every non-ASCII character as `\uXXXX`, and also `<`, `>`,
    /// `&` and `'` if `html`.
    private static func asciiJSON(_ json: [UInt8], upper: Bool, html: Bool) -> [UInt8] {
        String(decoding: json, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            if unit < 0x80, !(html && #"<>&'"#.utf16.contains(unit)) { return [UInt8(unit)] }
            let hex = String(unit, radix: 16, uppercase: upper)
            let zeros = String(repeating: "0", count: 4 - hex.count)
            return Array((#"\u"# + zeros + hex).utf8)
        }
    }

    /// As HTML-escaped text.
    private static func htmlEntities(_ secret: String) -> [UInt8] {
        secret.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            case UInt8(ascii: "'"): Array("&#39;".utf8)
            default: [byte]
            }
        }
    }
}

extension ByteSearch {
    /// The first range that looks like a compact JWS or JWE: `eyJ`, base64url characters and at
    /// least two dots (RFC 7515, 7.1).
    static func firstJWT(in slice: ArraySlice<UInt8>) -> Range<Int>? {
        var remaining = slice
        while let index = firstIndex(of: startOfJWT, in: remaining) {
            var end = index
            var dots = 0
            while end < slice.endIndex {
                let byte = slice[end]
                if byte == UInt8(ascii: ".") { dots += 1 } else if !isBase64URL(byte) { break }
                end += 1
            }
            if dots >= 2 { return index..<end }
            remaining = slice[max(end, index + 3)...]
        }
        return nil
    }

    private static let startOfJWT = Array("eyJ".utf8)

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
