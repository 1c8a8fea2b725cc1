import Backend
import Web

/// The rules of a new password. Lengths count bytes, as the server does.
struct PasswordPolicy: Sendable {
    let minLength: Int

    /// The project's setting.
    static let standard = PasswordPolicy(minLength: 8)
    /// The server's own default.
    static let sixCharacters = PasswordPolicy(minLength: 6)

    /// The real server's hash ignores more.
    static let maxLength = 72

    func check(_ password: String) throws(GoTrueFailure) {
        guard password.utf8.count <= Self.maxLength else {
            throw .invalid("Password cannot be longer than \(Self.maxLength) characters")
        }
        guard let weakness = weakness(of: password) else { return }
        throw GoTrueFailure(
            422, "weak_password", weakness.message,
            details: ["weak_password": ["reasons": weakness.reasons]])
    }

    /// The member of a session whose password does not meet the rules any more.
    func weakPasswordMember(of password: String) -> [JSON.Member] {
        guard let weakness = weakness(of: password) else { return [] }
        return [
            .init(
                "weak_password",
                ["message": .string(weakness.message), "reasons": weakness.reasons])
        ]
    }

    private func weakness(of password: String) -> (message: String, reasons: JSON)? {
        password.utf8.count < minLength
            ? ("Password should be at least \(minLength) characters.", ["length"]) : nil
    }
}

extension SocotoContract {
    var passwordPolicy: PasswordPolicy {
        isOn(Self.sixCharacterPasswords) ? .sixCharacters : .standard
    }
}
