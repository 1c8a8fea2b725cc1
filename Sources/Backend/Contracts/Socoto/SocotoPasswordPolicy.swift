import Web

/// The rules of a new password. Lengths count bytes, as the server does.
enum SocotoPasswordPolicy {
    /// The project's setting. The server's own default is 6.
    static let minLength = 8
    /// The real server's hash ignores more.
    static let maxLength = 72

    static func check(_ password: String) throws(SocotoAuthFailure) {
        guard password.utf8.count <= maxLength else {
            throw .invalid("Password cannot be longer than \(maxLength) characters")
        }
        guard password.utf8.count >= minLength else {
            throw SocotoAuthFailure(
                422, "weak_password", "Password should be at least \(minLength) characters.",
                details: [.init("weak_password", ["reasons": ["length"]])])
        }
    }
}
