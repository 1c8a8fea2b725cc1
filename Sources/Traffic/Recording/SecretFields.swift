package import Web

/// The secrets of a message nobody described: found by the names of its
/// fields, in JSON, forms and queries.
package struct SecretFields: Sendable, Equatable {
    package private(set) var passwords: [String] = []
    package private(set) var tokens: [String] = []

    /// Further names of password fields, as a manifest has them.
    private let named: Set<String>

    package init(named: Set<String> = []) {
        self.named = Set(named.map(Self.plain))
    }

    /// Takes what a body holds; what it says it is only helps.
    package mutating func read(_ body: [UInt8], _ type: String) {
        guard !body.isEmpty else { return }
        if let json = try? JSONReader.read(body) {
            read(json)
        } else if type.lowercased().contains("form-urlencoded") {
            read(pairs: String(decoding: body, as: UTF8.self))
        }
    }

    package mutating func read(_ json: JSON) { read(json, "", depth: 0) }

    /// Takes what a form or a query holds.
    package mutating func read(_ pairs: [(name: String, value: String)]) {
        for pair in pairs { take(pair.value, pair.name) }
    }

    /// Whether bytes that could not be taken apart speak of a password.
    package static func maySpeakOfPassword(_ bytes: [UInt8]) -> Bool {
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return ["passw", "passphrase", "passcode", "pwd", "secret"].contains {
            ByteSearch.first(Array($0.utf8), in: lower[...]) != nil
        }
    }

    /// Takes what an address's query and fragment hold.
    package mutating func read(url: String) {
        guard let start = url.firstIndex(where: { $0 == "?" || $0 == "#" })
        else { return }
        for part in url[start...].split(whereSeparator: {
            $0 == "?" || $0 == "#"
        }) {
            read(pairs: String(part))
        }
    }

    private mutating func read(pairs text: String) {
        let request = Request(
            method: .post, target: "/",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(text.utf8))
        for item in (try? Form(request))?.items ?? [] {
            take(item.value, item.name)
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
            for member in members {
                read(member.value, member.name, depth: depth + 1)
            }
        case .array(let elements):
            for element in elements { read(element, name, depth: depth + 1) }
        default: break
        }
    }

    private mutating func take(_ value: String, _ name: String) {
        guard !value.isEmpty, !value.contains("‹") else { return }
        let name = Self.plain(name)
        if isPassword(name) {
            if !passwords.contains(value) { passwords.append(value) }
        } else if Self.isToken(name), value.utf8.count >= 8,
            tokens.count < Redaction.mostTokens, !tokens.contains(value)
        {
            tokens.append(value)
        }
    }

    private func isPassword(_ name: String) -> Bool {
        named.contains(name)
            || ["password", "passwd", "passphrase", "passcode"].contains {
                name.contains($0)
            }
            || ["pwd", "pass", "pin", "secret", "clientsecret"].contains(name)
    }

    private static func isToken(_ name: String) -> Bool {
        name.hasSuffix("token") || name.hasSuffix("apikey")
            || [
                "jwt", "assertion", "clientassertion", "sessioncookie",
                "tokenhash", "codeverifier", "key",
            ].contains(name)
    }

    /// `access_token`, `accessToken` and `Access-Token` are one.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
