import Crypto

/// Takes the secrets of one exchange out of its texts, before storing.
///
/// Passwords vanish for good. Each different token becomes `‹token:N›` and is
/// kept aside by its number, to be sealed.
struct Redaction {
    /// What stands where a password stood.
    static let passwordPlaceholder = Array("‹password›".utf8)

    /// What stands where a token stood when there were too many to keep.
    static let overflowTokenPlaceholder = Array("‹token›".utf8)

    /// What stands in the place of a body that is not kept.
    static func withheldBody(_ reason: String) -> [UInt8] {
        Array("\(withheldPrefix)\(reason)›".utf8)
    }

    static let withheldPrefix = "‹not kept: "

    /// So many different tokens of one exchange are kept: a real one brings a
    /// handful, and whoever sends thousands only wants us to be busy.
    static let maxTokens = 256

    /// So many secrets of one exchange are looked for, kept or not: more than
    /// its address and headers can hold. With more, its bodies are not kept.
    static let maxSecrets = 4_096

    /// The tokens found, by number.
    private(set) var tokens: [[UInt8]] = []
    private var tokenIndexes: [[UInt8]: Int] = [:]
    /// What to look for, with what goes in its place.
    private var replacer = SecretReplacer()

    /// Secrets shorter than this are only taken out where they stand alone:
    /// replacing every `a` would leave nothing to read.
    private static let minSecretLength = 4

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
        guard bytes != passwordPlaceholder, bytes != overflowTokenPlaceholder else { return true }
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
    static func fillPlaceholders(_ text: String, with values: [String]) -> String {
        let bytes = Array(text.utf8)
        let start = Array("‹token:".utf8)
        let end = Array("›".utf8)
        var out: [UInt8] = []
        var rest = bytes[...]
        while let at = ByteSearch.firstIndex(of: start, in: rest) {
            var after = at + start.count
            var index = 0
            while after < rest.endIndex, index < maxTokens, (0x30...0x39).contains(rest[after]) {
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
    mutating func redact(_ bytes: [UInt8]) -> [UInt8] {
        guard let cleaned = replaceSecrets(in: bytes) else {
            return Self.withheldBody("its secrets take too long to be found")
        }
        return redactJWTs(cleaned)
    }

    /// As it stands, then however else its sender escapes; nil if it takes
    /// too long.
    private func replaceSecrets(in bytes: [UInt8]) -> [UInt8]? {
        guard !replacer.isEmpty else { return bytes }
        // Short ones are also looked for at the end.
        guard var cleaned = replacer.replace(in: bytes + [0]) else { return nil }
        for read in Self.decoders {
            guard let decoded = read(cleaned) else { continue }
            guard let next = replacer.replace(in: cleaned, decodedAs: decoded) else { return nil }
            cleaned = next
        }
        return Array(cleaned.dropLast())
    }

    private static let decoders: [@Sendable ([UInt8]) -> DecodedBytes?] = [
        { DecodedBytes(json: $0) }, { DecodedBytes(percent: $0, plusIsSpace: true) },
        { DecodedBytes(percent: $0, plusIsSpace: false) },
    ]

    mutating func redact(_ text: String) -> String {
        String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    /// A header field's value: credentials go whole, whatever they are.
    mutating func redact(header name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return redactToken(value) }
            if parts[0].lowercased() == "basic" { return "\(parts[0]) ‹password›" }
            return "\(parts[0]) " + redactToken(String(parts[1]))
        case "cookie":
            return value.split(separator: ";").map { pair in redactValue(ofPair: String(pair)) }
                .joined(separator: ";")
        case "set-cookie":
            let parts = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let rest = parts.count > 1 ? ";" + parts[1] : ""
            return redactValue(ofPair: String(parts[0])) + rest
        case "apikey", "x-api-key": return redactToken(value)
        default: return redact(value)
        }
    }

    private mutating func redactValue(ofPair pair: String) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return redactToken(pair) }
        let value = String(pair[pair.index(after: equals)...])
        return pair[...equals] + redactToken(value)
    }

    /// The placeholder for `value`, which is a token as a whole.
    private mutating func redactToken(_ value: String) -> String {
        guard !value.isEmpty else { return value }
        return String(decoding: makePlaceholder(for: Array(value.utf8)), as: UTF8.self)
    }

    /// What is put in the place of `token`, which is kept if there is room.
    private mutating func makePlaceholder(for token: [UInt8]) -> [UInt8] {
        if let known = tokenIndexes[token] { return Array(Self.placeholder(known).utf8) }
        guard tokens.count < Self.maxTokens else { return Self.overflowTokenPlaceholder }
        tokenIndexes[token] = tokens.count
        tokens.append(token)
        return Array(Self.placeholder(tokens.count - 1).utf8)
    }

    private mutating func hide(password: String) {
        for form in SecretEncodings.all(of: password) {
            guard form.count < Self.minSecretLength else {
                replacer.add(form, Self.passwordPlaceholder)
                continue
            }
            for (before, after) in Self.delimiters {
                replacer.add(
                    Array(before.utf8) + form + Array(after.utf8),
                    Array(before.utf8) + Self.passwordPlaceholder + Array(after.utf8))
            }
        }
    }

    /// What stands on both sides of a value: in JSON, in forms and queries,
    /// in a form's part; the last byte is the text's end.
    private static let delimiters = [
        ("\"", "\""), (":", ","), (":", "}"), (": ", ","), (": ", "}"), ("=", "&"), ("=", "#"),
        ("=", "\0"), ("\n", "\r"), ("\n", "\0"),
    ]

    private mutating func hide(token: [UInt8]) {
        guard token.count >= Self.minSecretLength else { return }
        let mark = makePlaceholder(for: token)
        let text = String(decoding: token, as: UTF8.self)
        for form in SecretEncodings.all(of: text) { replacer.add(form, mark) }
    }

    /// Replaces everything that looks like a compact JWS or JWE.
    private mutating func redactJWTs(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        while let range = ByteSearch.firstJWT(in: rest) {
            out += rest[..<range.lowerBound]
            out += makePlaceholder(for: Array(rest[range]))
            rest = rest[range.upperBound...]
        }
        return out.isEmpty && rest.count == bytes.count ? bytes : out + rest
    }
}
