import Web

/// Removes the secrets of one exchange from its texts, before storing.
///
/// Passwords are removed permanently. Each distinct token becomes `‹token:N›` and is collected
/// under that index, to be sealed.
struct Redaction {
    /// Replaces a password.
    static let passwordPlaceholder = Array("‹password›".utf8)

    /// Replaces a token beyond `maxTokens`.
    static let overflowTokenPlaceholder = Array("‹token›".utf8)

    /// Replaces a body that is not stored.
    static func withheldBody(_ reason: String) -> [UInt8] {
        Array("\(withheldPrefix)\(reason)›".utf8)
    }

    private static let withheldPrefix = "‹not stored: "

    /// The second one is in bodies recorded by earlier versions.
    static let withheldPrefixes = [withheldPrefix, "‹not kept: "]

    /// The number of distinct tokens stored per exchange. A real exchange has a handful; a sender
    /// of thousands only tries to consume CPU time.
    static let maxTokens = 256

    /// The number of secrets searched for per exchange, stored or not: more than its URL and
    /// headers can hold. With more, its bodies are not stored.
    static let maxSecrets = 4_096

    /// The tokens found, by index.
    private(set) var tokens: [[UInt8]] = []
    private var tokenIndexes: [[UInt8]: Int] = [:]
    /// The secrets to find, with their replacements.
    private var replacer = SecretReplacer()

    /// Shorter secrets are only replaced between delimiters: replacing every `a` would leave an
    /// unreadable text.
    private static let minSecretLength = 4

    init(passwords: [String], tokens: [String]) {
        for password in passwords where !password.isEmpty { hide(password: password) }
        for token in tokens where token.utf8.count >= Self.minSecretLength {
            let placeholder = makePlaceholder(for: Array(token.utf8))
            for encoded in SecretEncodings.all(of: token) { replacer.add(encoded, placeholder) }
        }
    }

    /// The placeholder of token `index`.
    static func placeholder(_ index: Int) -> String { "‹token:\(index)›" }

    private static let placeholderStart = Array("‹token:".utf8)
    private static let placeholderEnd = Array("›".utf8)

    /// Whether `text` is exactly one placeholder: a secret may contain the same characters.
    static func isPlaceholder(_ text: String) -> Bool {
        guard text.utf8.first == placeholderStart[0] else { return false }
        let bytes = Array(text.utf8)
        guard bytes != passwordPlaceholder, bytes != overflowTokenPlaceholder else { return true }
        guard bytes.starts(with: placeholderStart) else { return false }
        let rest = bytes.dropFirst(placeholderStart.count)
        let digits = rest.prefix(while: \.isDigit)
        return (1...4).contains(digits.count)
            && rest.dropFirst(digits.count).elementsEqual(placeholderEnd)
    }

    /// Replaces every placeholder that has a value, in one pass: inserted values are not searched
    /// again.
    static func fillPlaceholders(_ text: String, with values: [String]) -> String {
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        var remaining = bytes[...]
        while let position = ByteSearch.firstIndex(of: placeholderStart, in: remaining) {
            let start = position + placeholderStart.count
            let digits = remaining[start...].prefix(while: \.isDigit)
            let rest = remaining[digits.endIndex...]
            let index = Int(String(decoding: digits, as: UTF8.self))
            if let index, values.indices.contains(index), rest.starts(with: placeholderEnd) {
                out += remaining[..<position]
                out += values[index].utf8
                remaining = rest.dropFirst(placeholderEnd.count)
            } else {
                out += remaining[..<digits.endIndex]
                remaining = rest
            }
        }
        guard remaining.count < bytes.count else { return text }
        return String(decoding: out + remaining, as: UTF8.self)
    }

    /// Removes the secrets from `bytes`, and collects every JWT in them as a token.
    mutating func redact(_ bytes: [UInt8]) -> [UInt8] {
        guard let redacted = replaceSecrets(in: bytes) else {
            return Self.withheldBody("searching its secrets takes too long")
        }
        return redactJWTs(redacted)
    }

    /// Replaces secrets in the bytes as they are, then under each decoding; nil if it takes too
    /// long.
    private func replaceSecrets(in bytes: [UInt8]) -> [UInt8]? {
        guard !replacer.isEmpty else { return bytes }
        // The extra byte is the end delimiter for short secrets.
        guard var redacted = replacer.replace(in: bytes + [0]) else { return nil }
        for escape in DecodedBytes.Escape.allCases {
            guard let decoded = DecodedBytes(redacted, escape) else { continue }
            guard let next = replacer.replace(in: redacted, decodedAs: decoded) else { return nil }
            redacted = next
        }
        return Array(redacted.dropLast())
    }

    mutating func redact(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let redacted = redact(bytes)
        return redacted == bytes ? text : String(decoding: redacted, as: UTF8.self)
    }

    /// Redacts a header value: credentials entirely, whatever their format.
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
            let attributes = parts.count > 1 ? ";" + parts[1] : ""
            return redactValue(ofPair: String(parts[0])) + attributes
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

    /// The placeholder for `token`, which is collected unless `maxTokens` is reached.
    private mutating func makePlaceholder(for token: [UInt8]) -> [UInt8] {
        if let index = tokenIndexes[token] { return Array(Self.placeholder(index).utf8) }
        guard tokens.count < Self.maxTokens else { return Self.overflowTokenPlaceholder }
        tokenIndexes[token] = tokens.count
        tokens.append(token)
        return Array(Self.placeholder(tokens.count - 1).utf8)
    }

    private mutating func hide(password: String) {
        for encoded in SecretEncodings.all(of: password) {
            guard encoded.count < Self.minSecretLength else {
                replacer.add(encoded, Self.passwordPlaceholder)
                continue
            }
            for (before, after) in Self.delimiters {
                replacer.add(
                    Array(before.utf8) + encoded + Array(after.utf8),
                    Array(before.utf8) + Self.passwordPlaceholder + Array(after.utf8))
            }
        }
    }

    /// The delimiters around a value: in JSON, in forms and queries, in a multipart part; `\0` is
    /// the end of the text.
    private static let delimiters = [
        ("\"", "\""), (":", ","), (":", "}"), (": ", ","), (": ", "}"), ("=", "&"), ("=", "#"),
        ("=", "\0"), ("\n", "\r"), ("\n", "\0"),
    ]

    /// Replaces everything that looks like a compact JWS or JWE.
    private mutating func redactJWTs(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var remaining = bytes[...]
        while let range = ByteSearch.firstJWT(in: remaining) {
            out += remaining[..<range.lowerBound]
            out += makePlaceholder(for: Array(remaining[range]))
            remaining = remaining[range.upperBound...]
        }
        return out.isEmpty && remaining.count == bytes.count ? bytes : out + remaining
    }
}
