import Web

/// What a new password must be; lengths count bytes, as the server counts.
enum SocotoPasswordPolicy {
    /// What the project is configured to; the server's own default is 6.
    static let minLength = 8
    /// As far as the real server's hash looks.
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
