import FoundationEssentials
import Web

/// The encodings a secret may travel in.
enum SecretForms {
    /// Raw, JSON-escaped, form- and percent-encoded in either case, base 64.
    static func all(of secret: String) -> Set<[UInt8]> {
        let raw = Array(secret.utf8)
        var forms: Set<[UInt8]> = [raw]
        // The JSON string without its quotes, `/` escaped or not.
        let json = Array(JSON.string(secret).bytes.dropFirst().dropLast())
        forms.insert(json)
        forms.insert(
            json.flatMap { $0 == UInt8(ascii: "/") ? Array(#"\/"#.utf8) : [$0] }
        )
        for upper in [true, false] {
            for plus in [true, false] {
                forms.insert(percent(raw, upper: upper, plus: plus))
            }
        }
        if raw.count >= 4 {
            let base64 = Data(raw).base64EncodedString()
            forms.insert(Array(base64.utf8))
        }
        return forms
    }

    /// Everything but RFC 3986's unreserved characters escaped; space as `+`
    /// if asked.
    private static func percent(
        _ raw: [UInt8], upper: Bool, plus: Bool
    ) -> [UInt8] {
        raw.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                return [byte]
            case UInt8(ascii: " ") where plus:
                return [UInt8(ascii: "+")]
            default:
                let hex = String(byte, radix: 16, uppercase: upper)
                return Array(("%" + (hex.count < 2 ? "0" : "") + hex).utf8)
            }
        }
    }
}
