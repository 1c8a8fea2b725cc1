import Core

/// The names of fields that hold passwords and tokens; classifies each name once.
final class SecretFieldNames: Sendable, Equatable {
    /// Further names of password fields, from the manifest.
    let normalizedPasswordFields: Set<String>
    /// The same names as spelled, in lower case.
    let lowercasedPasswordFields: Set<String>
    /// By names as spelled.
    private let kinds = SharedCache<String, Kind>(capacity: 1_024)
    /// The length in bytes up to which a name is cached.
    private static let cachedNameSize = 64

    /// What a field holds.
    enum Kind { case password, token, other }

    init(passwordFields: Set<String> = []) {
        normalizedPasswordFields = Set(passwordFields.map(Self.normalized))
        lowercasedPasswordFields = Set(passwordFields.map { $0.lowercased() })
    }

    static func == (lhs: SecretFieldNames, rhs: SecretFieldNames) -> Bool {
        lhs.lowercasedPasswordFields == rhs.lowercasedPasswordFields
            && lhs.normalizedPasswordFields == rhs.normalizedPasswordFields
    }

    func kind(of name: String) -> Kind {
        guard name.utf8.count <= Self.cachedNameSize else { return classify(name) }
        return kinds.value(for: name) { classify(name) }
    }

    private func classify(_ name: String) -> Kind {
        let name = Self.normalized(name)
        return isPassword(name) ? .password : Self.isToken(name) ? .token : .other
    }

    /// Whether a member of a password object is not a password itself.
    static func describesPassword(_ name: String) -> Bool {
        let name = normalized(name)
        return descriptiveNames.contains(name) || isToken(name)
    }

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
        "jwt", "assertion", "clientassertion", "sessioncookie", "tokenhash", "codeverifier",
        "authcode", "key", "bearer", "refresh", "accesskey", "sessionid",
    ]

    /// Maps `access_token`, `accessToken` and `Access-Token` to one name.
    static func normalized(_ name: String) -> String {
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
