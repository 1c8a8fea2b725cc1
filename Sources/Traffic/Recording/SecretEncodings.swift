import FoundationEssentials
import Web

/// The encodings a secret may travel in.
enum SecretEncodings {
    /// Raw, JSON-escaped, form- and percent-encoded in either case, base 64.
    static func all(of secret: String) -> Set<[UInt8]> {
        let raw = Array(secret.utf8)
        var forms: Set<[UInt8]> = [raw]
        if raw.count >= 4 {
            // Whether padding follows or not.
            let base64 = Data(raw).base64EncodedString().utf8.filter { $0 != UInt8(ascii: "=") }
            forms.insert(base64)
            forms.insert(
                base64.map {
                    switch $0 {
                    case UInt8(ascii: "+"): UInt8(ascii: "-")
                    case UInt8(ascii: "/"): UInt8(ascii: "_")
                    default: $0
                    }
                })
        }
        // As most tokens are: every other encoding leaves it as it is.
        guard !raw.allSatisfy(PercentEncoding.isUnreserved) else { return forms }
        // The JSON string without its quotes, `/` escaped or not.
        let json = Array(JSON.string(secret).bytes.dropFirst().dropLast())
        forms.insert(json)
        forms.insert(json.flatMap { $0 == UInt8(ascii: "/") ? Array(#"\/"#.utf8) : [$0] })
        // As PHP, Python, Go and Rails write it.
        for upper in [true, false] {
            for html in [true, false] { forms.insert(asciiJSON(json, upper: upper, html: html)) }
        }
        forms.insert(htmlEntities(secret))
        for lowerCase in [false, true] {
            for spaceAsPlus in [true, false] {
                forms.insert(
                    PercentEncoding.encode(raw, spaceAsPlus: spaceAsPlus, lowerCase: lowerCase))
            }
        }
        return forms
    }

    /// A JSON string's inside with everything beyond ASCII as `\uXXXX`, and
    /// `<`, `>`, `&` and `'` too if asked.
    private static func asciiJSON(_ json: [UInt8], upper: Bool, html: Bool) -> [UInt8] {
        String(decoding: json, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            if unit < 0x80, !(html && #"<>&'"#.utf16.contains(unit)) { return [UInt8(unit)] }
            let hex = String(unit, radix: 16, uppercase: upper)
            let zeros = String(repeating: "0", count: 4 - hex.count)
            return Array((#"\u"# + zeros + hex).utf8)
        }
    }

    /// As a page of HTML would show it.
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
