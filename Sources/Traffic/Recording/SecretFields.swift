package import Web

/// The secrets of a message nobody described: found by the names of its
/// fields, in JSON, forms and queries.
package struct SecretFields: Sendable, Equatable {
    package private(set) var passwords: [String] = []
    package private(set) var tokens: [String] = []

    private var knownPasswords: Set<String> = []
    private var knownTokens: Set<String> = []
    /// Further names of password fields, as a manifest has them.
    let normalizedPasswordFields: Set<String>
    /// The same as they are spelt, in small letters.
    let lowercasedPasswordFields: Set<String>

    package init(passwordFields: Set<String> = []) {
        self.normalizedPasswordFields = Set(passwordFields.map(Self.normalized))
        lowercasedPasswordFields = Set(passwordFields.map { $0.lowercased() })
    }

    package mutating func read(_ json: JSON) { read(json, "", depth: 0) }

    /// Takes what a form or a query holds.
    package mutating func read(_ pairs: [(name: String, value: String)]) { read(pairs, depth: 0) }

    private mutating func read(_ pairs: [(name: String, value: String)], depth: Int) {
        for pair in pairs { read(pair.value, pair.name, depth: depth) }
    }

    /// Takes a value, and what it holds itself: an address to come back to,
    /// or JSON.
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

    /// Addresses stand so deep in one another: each may be read twice.
    private static let maxURLDepth = 4

    /// Takes what headers hold, by their names and in the addresses that many
    /// of them carry: `Referer`, `Location`, `Link`, `X-Original-URL`.
    package mutating func read(_ headers: Headers) {
        for field in headers.fields {
            collect(field.value, field.name)
            // What no address holds separates them from what is around.
            for piece in field.value.split(whereSeparator: {
                $0.isWhitespace || "<>\"".contains($0)
            }) where piece.utf8.contains(where: "?#@".utf8.contains) { read(url: String(piece)) }
        }
    }

    /// Takes what an address holds: the password before its host, and what is
    /// in its query and fragment.
    package mutating func read(url: String) { read(url: url, depth: 0) }

    private mutating func read(url: String, depth: Int) {
        let address = URLParts(url)
        if let authority = address.authority, let at = authority.lastIndex(of: "@"),
            let colon = authority[..<at].firstIndex(of: ":")
        {
            let text = authority[authority.index(after: colon)..<at]
            collect(String(text), "password")
            collect(PercentEncoding.decodedText(text) ?? "", "password")
        }
        // An app's own address behind the fragment may have a query too.
        for part in [address.query, address.fragment].compactMap(\.self).flatMap({
            $0.split(separator: "?")
        }) {
            read(Form.parseLeniently(part), depth: depth)
            // Some separate with a semicolon.
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
                let isOwn =
                    !isPassword || Self.isDescriptive(member.name)
                    || Self.isToken(Self.normalized(member.name))
                read(member.value, isOwn ? member.name : name, depth: depth + 1)
            }
        case .array(let elements): for element in elements { read(element, name, depth: depth + 1) }
        default: break
        }
    }

    /// Takes the value of a field that is told as an object of its own:
    /// `{"name": "password", "value": …}`.
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
            // A credential may be a token; those are found by their shape.
            let bytes = Array(value.utf8)
            guard ByteSearch.firstJWT(in: bytes[...]) != bytes.indices else { return }
            if insert(value, into: \.knownPasswords) { passwords.append(value) }
        } else if Self.isToken(name), value.utf8.count >= 8, insert(value, into: \.knownTokens) {
            tokens.append(value)
        }
    }

    /// Whether `value` is new and there is room for it.
    private mutating func insert(
        _ value: String, into known: WritableKeyPath<SecretFields, Set<String>>
    ) -> Bool {
        // One more than can be hidden, and the record knows that it is so.
        guard passwords.count + tokens.count <= Redaction.maxSecrets else { return false }
        return self[keyPath: known].insert(value).inserted
    }

    /// Whether a field called so holds a password.
    func isPasswordField(_ name: String) -> Bool { isPassword(Self.normalized(name)) }

    private func isPassword(_ name: String) -> Bool {
        Self.containsPasswordWord(name.utf8) || Self.passwordNames.contains(name)
            || Self.passwordSuffixes.contains { Self.ends(name.utf8, with: $0) }
            || normalizedPasswordFields.contains(name)
    }

    /// Whether a member of an object that is called a password tells about it
    /// and is none: the kind of a credential, why a password was refused.
    private static func isDescriptive(_ name: String) -> Bool {
        descriptiveNames.contains(normalized(name))
    }

    /// Whether a name has one of the long words for it somewhere within. Every
    /// field of every message is asked: they share their beginning, and few
    /// names have that.
    private static func containsPasswordWord(_ name: String.UTF8View) -> Bool {
        var rest = name[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "p")) {
            rest = rest[start...]
            if rest.starts(with: "pass".utf8),
                passCompletions.contains(where: rest.dropFirst(4).starts(with:))
            {
                return true
            }
            rest = rest.dropFirst()
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
        "pw", "psw", "pswd", "userpass", "newpass", "oldpass", "loginpass",
        "secret", "credential", "credentials", "privatekey", "secretkey",
        "secretaccesskey", "securityanswer",
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

    /// `access_token`, `accessToken` and `Access-Token` are one.
    private static func normalized(_ name: String) -> String {
        // Most names are already so.
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x61...0x7A: true
            default: false
            }
        }
        return isPlain ? name : name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
