package import Web

/// Finds secrets by what they are called, in what nobody has described.
package enum SecretNames {
    /// Compared without case, `_` and `-`.
    private static let passwords: Set<String> = [
        "password", "passwd", "pass", "pwd", "passphrase", "newpassword",
        "oldpassword", "currentpassword", "previouspassword",
        "confirmpassword", "passwordconfirmation", "passwordconfirm",
        "repeatpassword", "clientsecret", "pin",
    ]

    private static let tokens: Set<String> = [
        "token", "accesstoken", "refreshtoken", "idtoken", "sessiontoken",
        "authtoken", "bearertoken", "jwt", "sessioncookie", "assertion",
        "clientassertion", "apikey",
    ]

    /// What a body or a query holds that must never be stored, and what only
    /// sealed.
    package struct Found: Sendable, Equatable {
        package var passwords: [String] = []
        package var tokens: [String] = []

        package init() {}

        mutating func add(_ name: String, _ value: String) {
            guard !value.isEmpty else { return }
            let name = SecretNames.plain(name)
            if SecretNames.passwords.contains(name) {
                passwords.append(value)
            } else if SecretNames.tokens.contains(name) {
                tokens.append(value)
            }
        }

        package mutating func add(_ json: JSON) {
            var open = [json]
            while let next = open.popLast() {
                switch next {
                case .object(let members):
                    for member in members {
                        if let text = member.value.text {
                            add(member.name, text)
                        } else {
                            open.append(member.value)
                        }
                    }
                case .array(let elements): open += elements
                default: break
                }
            }
        }

        package mutating func add(_ pairs: [(name: String, value: String)]) {
            for pair in pairs { add(pair.name, pair.value) }
        }
    }

    /// Whether bytes that could not be taken apart speak of a password.
    package static func maySpeakOfPassword(_ bytes: [UInt8]) -> Bool {
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return ["passw", "passphrase", "pwd", "secret"].contains {
            ByteSearch.first(Array($0.utf8), in: lower[...]) != nil
        }
    }

    private static func plain(_ name: String) -> String {
        String(
            decoding: name.utf8.filter { $0 != 0x5F && $0 != 0x2D }.map {
                (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
            }, as: UTF8.self)
    }
}
