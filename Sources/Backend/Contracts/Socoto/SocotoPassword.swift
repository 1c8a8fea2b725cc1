import Web

/// What a new password must be; lengths count bytes, as the server counts.
enum SocotoPassword {
    /// What the project is configured to; the server's own default is 6.
    static let shortest = 8
    /// As far as the real server's hash looks.
    static let longest = 72

    static func check(_ password: String) throws(SocotoFailure) {
        guard password.utf8.count <= longest else {
            throw .invalid("Password cannot be longer than \(longest) characters")
        }
        guard password.utf8.count >= shortest else {
            throw SocotoFailure(
                422, "weak_password", "Password should be at least \(shortest) characters.",
                details: [.init("weak_password", ["reasons": ["length"]])])
        }
    }
}
