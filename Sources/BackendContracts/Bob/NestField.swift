import Backend

/// A field in a request body of the NestJS server, with its rules.
struct NestField: Sendable {
    let name: String
    var isOptional = false
    /// The rules may depend on the other fields.
    let rules: @Sendable (NestBody) -> [NestRule]

    static let email = NestField(name: "email") { _ in [.email] }

    static let password = NestField(name: "password") { _ in
        [.notEmpty("password"), .string("password")]
    }

    static func personName(_ name: String) -> NestField {
        NestField(name: name) { _ in [.notEmpty(name), .string(name), .maxLength(100, name)] }
    }

    static let phoneNumber = NestField(name: "phoneNumber", isOptional: true) { _ in [.phoneNumber]
    }

    static let refreshToken = NestField(name: "refreshToken", isOptional: true) { _ in
        [.string("refreshToken")]
    }

    private static let specialCharacters = "!@#$%^&*()_+-=[]{}|;:,.<>?"

    /// A new password: 8 to 128 characters with every kind of character.
    static let newPassword = NestField(name: "password") { body in
        let email = EmailAddress(body["email"])?.text ?? ""
        return [
            .notEmpty("password"), .string("password"), .minLength(8, "password"),
            // The hash would ignore the end of a longer password, or everything after a NUL.
            NestRule(NestRule.maxLength(128, "password").message) {
                $0.utf16.count <= 128 && $0.utf8.count <= JSONBody.passwordLimit
                    && !$0.utf8.contains(0)
            },
            NestRule(
                """
                Password must contain at least one uppercase letter, one \
                lowercase letter, one number, and one special character
                """
            ) { password in
                password.contains { $0.isASCII && $0.isUppercase }
                    && password.contains { $0.isASCII && $0.isLowercase }
                    && password.contains { $0.isASCII && $0.isNumber }
                    && password.contains(where: specialCharacters.contains)
            },
            NestRule("Password must not begin or end with a space") {
                $0.first?.isWhitespace != true && $0.last?.isWhitespace != true
            },
            NestRule("Password must not contain your email address") {
                email.isEmpty || !$0.lowercased().contains(email)
            },
        ]
    }
}
