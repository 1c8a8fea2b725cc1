import Secrets

/// Takes the secrets of one exchange out of its texts, before storing.
///
/// Passwords vanish for good. Each different token becomes `‹token:N›` and is
/// kept aside by its number, to be sealed.
struct Redaction {
    /// What stands where a password stood.
    static let password = Array("‹password›".utf8)

    /// What stands where a token stood when there were too many to keep.
    static let token = Array("‹token›".utf8)

    /// What stands in the place of a body that is not kept.
    static func withheld(_ why: String) -> [UInt8] { Array("\(withheldMark)\(why)›".utf8) }

    static let withheldMark = "‹not kept: "

    /// So many different tokens of one exchange are kept: a real one brings a
    /// handful, and whoever sends thousands only wants us to be busy.
    static let mostTokens = 256

    /// So many secrets of one exchange are looked for, kept or not: more than
    /// its address and headers can hold. With more, its bodies are not kept.
    static let mostSecrets = 4_096

    /// The tokens found, by number.
    private(set) var tokens: [[UInt8]] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// What to look for, with what goes in its place.
    private var needles = Needles()

    /// Secrets shorter than this are only taken out where they stand alone:
    /// replacing every `a` would leave nothing to read.
    private static let shortest = 4

    init(passwords: [String], tokens: [String]) {
        for password in passwords where !password.isEmpty { hide(password: password) }
        for token in tokens where !token.isEmpty { hide(token: Array(token.utf8)) }
    }

    /// The placeholder of token `index`.
    static func placeholder(_ index: Int) -> String { "‹token:\(index)›" }

    /// Whether `text` is one placeholder and nothing else: a secret may hold
    /// the same signs.
    static func isPlaceholder(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes != password, bytes != token else { return true }
        let start = Array("‹token:".utf8)
        let end = Array("›".utf8)
        guard bytes.starts(with: start),
            bytes.dropFirst(start.count).suffix(end.count).elementsEqual(end)
        else { return false }
        let digits = bytes.dropFirst(start.count).dropLast(end.count)
        return (1...4).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// `text` with every placeholder that has a value replaced by it, in one
    /// go: what is put in is not looked at again.
    static func fill(_ text: String, with values: [String]) -> String {
        let bytes = Array(text.utf8)
        let start = Array("‹token:".utf8)
        let end = Array("›".utf8)
        var out: [UInt8] = []
        var rest = bytes[...]
        while let at = ByteSearch.first(start, in: rest) {
            var after = at + start.count
            var index = 0
            while after < rest.endIndex, index < mostTokens, (0x30...0x39).contains(rest[after]) {
                index = index * 10 + Int(rest[after] - 0x30)
                after += 1
            }
            if after > at + start.count, values.indices.contains(index),
                rest[after...].starts(with: end)
            {
                out += rest[..<at]
                out += values[index].utf8
                rest = rest[(after + end.count)...]
            } else {
                out += rest[..<after]
                rest = rest[after...]
            }
        }
        guard rest.count < bytes.count else { return text }
        return String(decoding: out + rest, as: UTF8.self)
    }

    /// `bytes` without secrets, with every JWT in it taken aside too.
    mutating func clean(_ bytes: [UInt8]) -> [UInt8] {
        guard let cleaned = replaceNeedles(in: bytes) else {
            return Self.withheld("its secrets take too long to be found")
        }
        return takeJWTs(cleaned)
    }

    /// As it stands, then however else its sender escapes; nil if it takes
    /// too long.
    private func replaceNeedles(in bytes: [UInt8]) -> [UInt8]? {
        guard !needles.isEmpty else { return bytes }
        // Short ones are also looked for at the end.
        guard var cleaned = needles.replace(in: bytes + [0]) else { return nil }
        for read in Self.readings {
            guard let decoded = read(cleaned) else { continue }
            guard let next = needles.replace(in: cleaned, readAs: decoded) else { return nil }
            cleaned = next
        }
        return Array(cleaned.dropLast())
    }

    private static let readings: [@Sendable ([UInt8]) -> Decoded?] = [
        { Decoded(json: $0) }, { Decoded(percent: $0, plusIsSpace: true) },
        { Decoded(percent: $0, plusIsSpace: false) },
    ]

    mutating func clean(_ text: String) -> String {
        String(decoding: clean(Array(text.utf8)), as: UTF8.self)
    }

    /// A header field's value: credentials go whole, whatever they are.
    mutating func clean(header name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return take(value) }
            if parts[0].lowercased() == "basic" { return "\(parts[0]) ‹password›" }
            return "\(parts[0]) " + take(String(parts[1]))
        case "cookie":
            return value.split(separator: ";").map { pair in takeValue(ofPair: String(pair)) }
                .joined(separator: ";")
        case "set-cookie":
            let parts = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let rest = parts.count > 1 ? ";" + parts[1] : ""
            return takeValue(ofPair: String(parts[0])) + rest
        case "apikey", "x-api-key": return take(value)
        default: return clean(value)
        }
    }

    private mutating func takeValue(ofPair pair: String) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return take(pair) }
        let value = String(pair[pair.index(after: equals)...])
        return pair[...equals] + take(value)
    }

    /// The placeholder for `value`, which is a token as a whole.
    private mutating func take(_ value: String) -> String {
        guard !value.isEmpty else { return value }
        return String(decoding: mark(for: Array(value.utf8)), as: UTF8.self)
    }

    /// What is put in the place of `token`, which is kept if there is room.
    private mutating func mark(for token: [UInt8]) -> [UInt8] {
        if let known = numbers[token] { return Array(Self.placeholder(known).utf8) }
        guard tokens.count < Self.mostTokens else { return Self.token }
        numbers[token] = tokens.count
        tokens.append(token)
        return Array(Self.placeholder(tokens.count - 1).utf8)
    }

    private mutating func hide(password: String) {
        for form in SecretForms.all(of: password) {
            guard form.count < Self.shortest else {
                needles.add(form, Self.password)
                continue
            }
            for (before, after) in Self.standsAlone {
                needles.add(
                    Array(before.utf8) + form + Array(after.utf8),
                    Array(before.utf8) + Self.password + Array(after.utf8))
            }
        }
    }

    /// What stands on both sides of a value: in JSON, in forms and queries,
    /// in a form's part; the last byte is the text's end.
    private static let standsAlone = [
        ("\"", "\""), (":", ","), (":", "}"), (": ", ","), (": ", "}"), ("=", "&"), ("=", "#"),
        ("=", "\0"), ("\n", "\r"), ("\n", "\0"),
    ]

    private mutating func hide(token: [UInt8]) {
        guard token.count >= Self.shortest else { return }
        let mark = mark(for: token)
        let text = String(decoding: token, as: UTF8.self)
        for form in SecretForms.all(of: text) { needles.add(form, mark) }
    }

    /// Replaces everything that looks like a compact JWS or JWE.
    private mutating func takeJWTs(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        while let range = ByteSearch.jwt(in: rest) {
            out += rest[..<range.lowerBound]
            out += mark(for: Array(rest[range]))
            rest = rest[range.upperBound...]
        }
        return out.isEmpty && rest.count == bytes.count ? bytes : out + rest
    }
}
