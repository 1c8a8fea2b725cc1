import Secrets

/// Takes the secrets of one exchange out of its texts, before storing.
///
/// Passwords vanish for good. Each different token becomes `‹token:N›` and is
/// kept aside by its number, to be sealed.
struct Redaction {
    /// What stands where a password stood.
    static let password = Array("‹password›".utf8)

    /// The tokens found, by number.
    private(set) var tokens: [[UInt8]] = []
    /// What to look for, with what goes in its place.
    private var needles: [(find: [UInt8], put: [UInt8])] = []

    /// Secrets shorter than this are only taken out where they stand alone:
    /// replacing every `a` would leave nothing to read.
    private static let shortest = 4

    init(passwords: [String], tokens: [String]) {
        for password in passwords where !password.isEmpty {
            hide(password: password)
        }
        for token in tokens where !token.isEmpty {
            hide(token: Array(token.utf8))
        }
        // A secret that holds another must go first.
        needles.sort { $0.find.count > $1.find.count }
    }

    /// The placeholder of token `index`.
    static func placeholder(_ index: Int) -> String { "‹token:\(index)›" }

    /// `bytes` without secrets, with every JWT in it taken aside too.
    mutating func clean(_ bytes: [UInt8]) -> [UInt8] {
        var out = bytes
        for needle in needles {
            out = ByteSearch.replace(needle.find, with: needle.put, in: out)
        }
        return takeJWTs(out)
    }

    mutating func clean(_ text: String) -> String {
        String(decoding: clean(Array(text.utf8)), as: UTF8.self)
    }

    /// A header field's value: credentials go whole, whatever they are.
    mutating func clean(header name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return take(value) }
            if parts[0].lowercased() == "basic" {
                return "\(parts[0]) ‹password›"
            }
            return "\(parts[0]) " + take(String(parts[1]))
        case "cookie":
            return value.split(separator: ";").map { pair in
                takeValue(ofPair: String(pair))
            }.joined(separator: ";")
        case "set-cookie":
            let parts = value.split(
                separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let rest = parts.count > 1 ? ";" + parts[1] : ""
            return takeValue(ofPair: String(parts[0])) + rest
        case "apikey", "x-api-key":
            return take(value)
        default:
            return clean(value)
        }
    }

    private mutating func takeValue(ofPair pair: String) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return clean(pair) }
        let value = String(pair[pair.index(after: equals)...])
        return pair[...equals] + take(value)
    }

    /// The placeholder for `value`, which is a token as a whole.
    private mutating func take(_ value: String) -> String {
        guard !value.isEmpty else { return value }
        return Self.placeholder(number(of: Array(value.utf8)))
    }

    private mutating func number(of token: [UInt8]) -> Int {
        if let known = tokens.firstIndex(of: token) { return known }
        tokens.append(token)
        return tokens.count - 1
    }

    private mutating func hide(password: String) {
        for form in SecretForms.all(of: password) {
            if form.count >= Self.shortest {
                needles.append((form, Self.password))
            } else {
                let quote = UInt8(ascii: "\"")
                needles.append((
                    [quote] + form + [quote],
                    [quote] + Self.password + [quote]))
                needles.append((
                    [UInt8(ascii: "=")] + form + [UInt8(ascii: "&")],
                    [UInt8(ascii: "=")] + Self.password
                        + [UInt8(ascii: "&")]))
            }
        }
    }

    private mutating func hide(token: [UInt8]) {
        guard token.count >= Self.shortest else { return }
        let mark = Array(Self.placeholder(number(of: token)).utf8)
        let text = String(decoding: token, as: UTF8.self)
        for form in SecretForms.all(of: text) { needles.append((form, mark)) }
    }

    /// Replaces everything that looks like a compact JWS or JWE.
    private mutating func takeJWTs(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        while let range = ByteSearch.jwt(in: rest) {
            out += rest[..<range.lowerBound]
            let index = number(of: Array(rest[range]))
            out += Self.placeholder(index).utf8
            rest = rest[range.upperBound...]
        }
        return out.isEmpty && rest.count == bytes.count ? bytes : out + rest
    }
}
