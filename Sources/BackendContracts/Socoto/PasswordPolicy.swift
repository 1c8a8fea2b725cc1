import Backend
import Web

/// The rules of a new password. Lengths count bytes, as the server does.
enum PasswordPolicy {
    /// The project's setting. The server's own default is 6.
    static let minLength = 8
    /// The real server's hash ignores more.
    static let maxLength = 72

    static func check(_ password: String) throws(GoTrueFailure) {
        guard password.utf8.count <= maxLength else {
            throw .invalid("Password cannot be longer than \(maxLength) characters")
        }
        guard password.utf8.count >= minLength else {
            throw GoTrueFailure(
                422, "weak_password", "Password should be at least \(minLength) characters.",
                details: ["weak_password": ["reasons": ["length"]]])
        }
    }
}
