package import Web

/// The secrets of a message nobody described: found by the names of its
/// fields, in JSON, forms and queries.
package struct SecretFields: Sendable, Equatable {
    package private(set) var passwords: [String] = []
    package private(set) var tokens: [String] = []

    private var knownPasswords: Set<String> = []
    private var knownTokens: Set<String> = []
    /// Further names of password fields, as a manifest has them.
    let named: Set<String>
    /// The same as they are spelt, in small letters.
    let spelt: Set<String>

    package init(named: Set<String> = []) {
        self.named = Set(named.map(Self.plain))
        spelt = Set(named.map { $0.lowercased() })
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
        take(value, name)
        guard depth < Self.deepest, !isPasswordField(name) else { return }
        switch value.utf8.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if let json = try? JSONReader.read(Array(value.utf8), keepsDoubles: true) { read(json) }
        default: if value.utf8.contains(UInt8(ascii: "?")) { read(url: value, depth: depth + 1) }
        }
    }

    /// Addresses stand so deep in one another: each may be read twice.
    private static let deepest = 4

    /// Takes what headers hold, by their names and in the addresses that many
    /// of them carry: `Referer`, `Location`, `Link`, `X-Original-URL`.
    package mutating func read(_ headers: Headers) {
        for field in headers.fields {
            take(field.value, field.name)
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
        let address = Address(url)
        if let authority = address.authority, let at = authority.lastIndex(of: "@"),
            let colon = authority[..<at].firstIndex(of: ":")
        {
            let text = authority[authority.index(after: colon)..<at]
            take(String(text), "password")
            take(PercentEncoding.text(text) ?? "", "password")
        }
        // An app's own address behind the fragment may have a query too.
        for part in [address.query, address.fragment].compactMap(\.self).flatMap({
            $0.split(separator: "?")
        }) {
            read(Form.lenient(part), depth: depth)
            // Some separate with a semicolon.
            for part in part.split(separator: ";").dropFirst() {
                read(Form.lenient(part), depth: depth)
            }
        }
    }

    private mutating func read(_ json: JSON, _ name: String, depth: Int) {
        guard depth < 32 else { return }
        switch json {
        case .string(let text): take(text, name)
        case .int, .double:
            // A PIN may be a number.
            if let text = json.text { take(text, name) }
        case .object(let members):
            let isPassword = isPasswordField(name)
            readNamed(members)
            for member in members {
                let isOwn =
                    !isPassword || Self.describes(member.name)
                    || Self.isToken(Self.plain(member.name))
                read(member.value, isOwn ? member.name : name, depth: depth + 1)
            }
        case .array(let elements): for element in elements { read(element, name, depth: depth + 1) }
        default: break
        }
    }

    /// Takes the value of a field that is told as an object of its own:
    /// `{"name": "password", "value": …}`.
    private mutating func readNamed(_ members: [JSON.Member]) {
        func text(_ names: Set<String>) -> String? {
            members.first { names.contains(Self.plain($0.name)) }?.value.text
        }
        if let name = text(["name", "key", "field", "id"]), let value = text(["value"]) {
            take(value, name)
        }
    }

    mutating func take(_ value: String, _ name: String) {
        guard !value.isEmpty, !Redaction.isPlaceholder(value) else { return }
        let name = Self.plain(name)
        if isPassword(name) {
            // A credential may be a token; those are found by their shape.
            let bytes = Array(value.utf8)
            guard ByteSearch.jwt(in: bytes[...]) != bytes.indices else { return }
            if makeRoom(for: value, in: \.knownPasswords) { passwords.append(value) }
        } else if Self.isToken(name), value.utf8.count >= 8, makeRoom(for: value, in: \.knownTokens)
        {
            tokens.append(value)
        }
    }

    /// Whether `value` is new and there is room for it.
    private mutating func makeRoom(
        for value: String, in known: WritableKeyPath<SecretFields, Set<String>>
    ) -> Bool {
        // One more than can be hidden, and the record knows that it is so.
        guard passwords.count + tokens.count <= Redaction.mostSecrets else { return false }
        return self[keyPath: known].insert(value).inserted
    }

    /// Whether a field called so holds a password.
    func isPasswordField(_ name: String) -> Bool { isPassword(Self.plain(name)) }

    private func isPassword(_ name: String) -> Bool {
        Self.saysPassword(name.utf8) || Self.passwords.contains(name)
            || Self.lastWords.contains { Self.ends(name.utf8, with: $0) } || named.contains(name)
    }

    /// Whether a member of an object that is called a password tells about it
    /// and is none: the kind of a credential, why a password was refused.
    private static func describes(_ name: String) -> Bool { descriptions.contains(plain(name)) }

    /// Whether a name has one of the long words for it somewhere within. Every
    /// field of every message is asked: they share their beginning, and few
    /// names have that.
    private static func saysPassword(_ name: String.UTF8View) -> Bool {
        var rest = name[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "p")) {
            rest = rest[start...]
            if rest.starts(with: "pass".utf8),
                endings.contains(where: rest.dropFirst(4).starts(with:))
            {
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    private static func isToken(_ name: String) -> Bool {
        ends(name.utf8, with: "token".utf8) || ends(name.utf8, with: "apikey".utf8)
            || tokens.contains(name)
    }

    private static func ends(_ name: String.UTF8View, with ending: some Collection<UInt8>) -> Bool {
        name.suffix(ending.count).elementsEqual(ending)
    }

    private static let endings = ["w", "phrase", "code", "key"].map { Array($0.utf8) }
    private static let lastWords = [
        "pw", "psw", "pswd", "userpass", "newpass", "oldpass", "loginpass",
        "secret", "credential", "credentials", "privatekey", "secretkey",
        "secretaccesskey", "securityanswer",
    ].map { Array($0.utf8) }
    private static let passwords: Set = [
        "pwd", "pass", "pass1", "pass2", "pin", "newpin", "oldpin", "pincode", "mnemonic",
        "seedphrase", "recoverycode", "recoverykey", "signingkey", "encryptionkey",
    ]
    private static let descriptions: Set = [
        "type", "kind", "message", "messages", "error", "errors", "reason", "detail", "description",
        "hint", "title",
    ]
    private static let tokens: Set = [
        "jwt", "assertion", "clientassertion", "sessioncookie", "tokenhash", "codeverifier", "key",
        "bearer", "refresh", "accesskey", "sessionid",
    ]

    /// `access_token`, `accessToken` and `Access-Token` are one.
    private static func plain(_ name: String) -> String {
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
