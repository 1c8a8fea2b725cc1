package import Web

/// Collects the secrets of a message not described by a manifest, by field names in JSON, forms and
/// queries.
package struct SecretFields: Sendable, Equatable {
    package private(set) var passwords: [String] = []
    package private(set) var tokens: [String] = []

    private var knownPasswords: Set<String> = []
    private var knownTokens: Set<String> = []
    /// Further names of password fields, from the manifest.
    let normalizedPasswordFields: Set<String>
    /// The same names as spelled, in lower case.
    let lowercasedPasswordFields: Set<String>

    package init(passwordFields: Set<String> = []) {
        self.normalizedPasswordFields = Set(passwordFields.map(Self.normalized))
        lowercasedPasswordFields = Set(passwordFields.map { $0.lowercased() })
    }

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
            guard Self.canContainSecret(url: field.value) else { continue }
            // Splits at characters that cannot be part of a URL.
            for piece in field.value.split(whereSeparator: {
                $0.isWhitespace || "<>\"".contains($0)
            }) where Self.canContainSecret(url: piece) { read(url: String(piece)) }
        }
    }

    private static func canContainSecret(url: some StringProtocol) -> Bool {
        url.utf8.contains {
            $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "@")
        }
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
                    let memberName = Self.normalized(member.name)
                    usesOwnName =
                        Self.descriptiveNames.contains(memberName) || Self.isToken(memberName)
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
            members.first { names.contains(Self.normalized($0.name)) }?.value.scalarText
        }
        if let name = text(["name", "key", "field", "id"]), let value = text(["value"]) {
            collect(value, name)
        }
    }

    mutating func collect(_ value: String, _ name: String) {
        guard !value.isEmpty, !Redaction.isPlaceholder(value) else { return }
        let name = Self.normalized(name)
        if isPassword(name) {
            // A credential may be a token; JWTs are found by their format.
            let bytes = Array(value.utf8)
            guard ByteSearch.firstJWT(in: bytes[...]) != bytes.indices else { return }
            if insert(value, into: \.knownPasswords) { passwords.append(value) }
        } else if Self.isToken(name), value.utf8.count >= 8, insert(value, into: \.knownTokens) {
            tokens.append(value)
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
    func isPasswordField(_ name: String) -> Bool { isPassword(Self.normalized(name)) }

    private func isPassword(_ name: String) -> Bool {
        Self.containsPasswordWord(name.utf8) || Self.passwordNames.contains(name)
            || Self.passwordSuffixes.contains { Self.ends(name.utf8, with: $0) }
            || normalizedPasswordFields.contains(name)
    }

    /// Whether the name contains one of the long password words. Runs for every field of every
    /// message: the words share a beginning, which few names contain.
    private static func containsPasswordWord(_ name: String.UTF8View) -> Bool {
        var remaining = name[...]
        while let start = remaining.firstIndex(of: UInt8(ascii: "p")) {
            remaining = remaining[start...]
            if remaining.starts(with: "pass".utf8),
                passCompletions.contains(where: remaining.dropFirst(4).starts(with:))
            {
                return true
            }
            remaining = remaining.dropFirst()
        }
        return false
    }

    private static func isToken(_ name: String) -> Bool {
        ends(name.utf8, with: "token".utf8) || ends(name.utf8, with: "apikey".utf8)
            || tokenNames.contains(name)
    }

    private static func ends(_ name: String.UTF8View, with ending: some Collection<UInt8>) -> Bool {
        name.suffix(ending.count).elementsEqual(ending)
    }

    private static let passCompletions = ["w", "phrase", "code", "key"].map { Array($0.utf8) }
    private static let passwordSuffixes = [
        "pw", "psw", "pswd", "userpass", "newpass", "oldpass", "loginpass", "secret", "credential",
        "credentials", "privatekey", "secretkey", "secretaccesskey", "securityanswer",
    ].map { Array($0.utf8) }
    private static let passwordNames: Set = [
        "pwd", "pass", "pass1", "pass2", "pin", "newpin", "oldpin", "pincode", "mnemonic",
        "seedphrase", "recoverycode", "recoverykey", "signingkey", "encryptionkey",
    ]
    private static let descriptiveNames: Set = [
        "type", "kind", "message", "messages", "error", "errors", "reason", "detail", "description",
        "hint", "title",
    ]
    private static let tokenNames: Set = [
        "jwt", "assertion", "clientassertion", "sessioncookie", "tokenhash", "codeverifier", "key",
        "bearer", "refresh", "accesskey", "sessionid",
    ]

    /// Maps `access_token`, `accessToken` and `Access-Token` to one name.
    private static func normalized(_ name: String) -> String {
        func isPlain(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x61...0x7A ~= byte }
        // Most names already are.
        if name.utf8.allSatisfy(isPlain) { return name }
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            return name.lowercased().filter { $0.isLetter || $0.isNumber }
        }
        let lowercased = name.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return String(decoding: lowercased.filter(isPlain), as: UTF8.self)
    }
}
