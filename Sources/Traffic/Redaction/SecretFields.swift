package import Web

/// Collects the secrets of a message not described by a manifest, by field names in JSON, forms and
/// queries.
package struct SecretFields: Sendable, Equatable {
    package private(set) var passwords: [String] = []
    package private(set) var tokens: [String] = []

    private var knownPasswords: Set<String> = []
    private var knownTokens: Set<String> = []
    let names: SecretFieldNames

    package init(passwordFields: Set<String> = []) {
        self.init(names: SecretFieldNames(passwordFields: passwordFields))
    }

    init(names: SecretFieldNames) { self.names = names }

    package mutating func read(_ json: JSON) { read(json, "", depth: 0) }

    /// Collects the secrets of a form or a query; `depth` is the number of URLs it is in.
    package mutating func read(_ pairs: [(name: String, value: String)], depth: Int = 0) {
        for pair in pairs { read(pair.value, pair.name, depth: depth) }
    }

    /// Collects a value if it is a secret, and the secrets within it if it is a URL (such as a
    /// redirect target) or JSON.
    private mutating func read(_ value: String, _ name: String, depth: Int) {
        collect(value, name)
        guard depth < Self.maxURLDepth, !isPasswordField(name) else { return }
        switch value.utf8.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if let json = try? JSONReader.read(Array(value.utf8), keepsDuplicateNames: true) {
                read(json)
            }
        default: if value.utf8.contains(UInt8(ascii: "?")) { read(url: value, depth: depth + 1) }
        }
    }

    /// The maximum nesting of URLs: each level may be read twice.
    private static let maxURLDepth = 4

    /// Collects the secrets of headers, by their names and in the URLs that many contain:
    /// `Referer`, `Location`, `Link`, `X-Original-URL`.
    package mutating func read(_ headers: Headers) {
        for field in headers.fields {
            collect(field.value, field.name)
            guard Self.canContainSecret(url: field.value.utf8.span) else { continue }
            // Splits at characters that cannot be part of a URL.
            for piece in field.value.split(whereSeparator: {
                $0.isWhitespace || "<>\"".contains($0)
            }) where Self.canContainSecret(url: piece.utf8.span) { read(url: String(piece)) }
        }
    }

    /// Examines all bytes: without an exit, many are compared at a time.
    private static func canContainSecret(url bytes: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            found |= byte == UInt8(ascii: "?") ? 1 : 0
            found |= byte == UInt8(ascii: "#") ? 1 : 0
            found |= byte == UInt8(ascii: "@") ? 1 : 0
        }
        return found != 0
    }

    /// Collects the secrets of a URL: the password in its authority, and those in its query and
    /// fragment.
    package mutating func read(url: String, depth: Int = 0) {
        let parts = URLParts(url)
        if let authority = parts.authority, let atSign = authority.lastIndex(of: "@"),
            let colon = authority[..<atSign].firstIndex(of: ":")
        {
            let text = authority[authority.index(after: colon)..<atSign]
            collect(String(text), "password")
            collect(PercentEncoding.decodedText(text) ?? "", "password")
        }
        // A single-page app's fragment may have a query too.
        for part in [parts.query, parts.fragment].compactMap(\.self).flatMap({
            $0.split(separator: "?")
        }) {
            read(Form.parseLeniently(part), depth: depth)
            // Some separate parameters with semicolons.
            for part in part.split(separator: ";").dropFirst() {
                read(Form.parseLeniently(part), depth: depth)
            }
        }
    }

    private mutating func read(_ json: JSON, _ name: String, depth: Int) {
        guard depth < 32 else { return }
        switch json {
        case .string(let text): collect(text, name)
        case .int, .double:
            // A PIN may be a number.
            if let text = json.scalarText { collect(text, name) }
        case .object(let members):
            let isPassword = isPasswordField(name)
            readNameValueObject(members)
            for member in members {
                // Members of a password object are passwords too, except those that describe it:
                // the type of a credential, why a password was rejected.
                var usesOwnName = !isPassword
                if isPassword {
                    usesOwnName = SecretFieldNames.describesPassword(member.name)
                }
                read(member.value, usesOwnName ? member.name : name, depth: depth + 1)
            }
        case .array(let elements): for element in elements { read(element, name, depth: depth + 1) }
        default: break
        }
    }

    /// Collects the value of a field given as an object: `{"name": "password", "value": …}`.
    private mutating func readNameValueObject(_ members: [JSON.Member]) {
        func text(_ names: Set<String>) -> String? {
            members.first { names.contains(SecretFieldNames.normalized($0.name)) }?.value.scalarText
        }
        if let value = text(Self.valueNames), let name = text(Self.nameNames) {
            collect(value, name)
        }
    }

    private static let valueNames: Set = ["value"]
    private static let nameNames: Set = ["name", "key", "field", "id"]

    mutating func collect(_ value: String, _ name: String) {
        guard !value.isEmpty, !Redaction.isPlaceholder(value) else { return }
        switch names.kind(of: name) {
        case .password:
            // A credential may be a token; JWTs are found by their format.
            let bytes = Array(value.utf8)
            guard ByteSearch.firstJWT(in: bytes[...]) != bytes.indices else { return }
            if insert(value, into: \.knownPasswords) { passwords.append(value) }
        case .token:
            guard value.utf8.count >= 8 else { return }
            if insert(value, into: \.knownTokens) { tokens.append(value) }
        case .other: return
        }
    }

    /// Whether `value` is new and below the limit.
    private mutating func insert(
        _ value: String, into knownValues: WritableKeyPath<SecretFields, Set<String>>
    ) -> Bool {
        // Collects one more than the limit, so that `ExchangeRecord` detects the overflow.
        guard passwords.count + tokens.count <= Redaction.maxSecrets else { return false }
        return self[keyPath: knownValues].insert(value).inserted
    }

    /// Whether a field with this name holds a password.
    func isPasswordField(_ name: String) -> Bool { names.kind(of: name) == .password }
}
