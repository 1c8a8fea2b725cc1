import Web

extension WallFailure {
    /// The checks that may have failed. Several share a message.
    var failedChecks: [RequestCheck] {
        switch (status, message) {
        case (415, _): [.body]
        case (409, _): [.emailAvailable]
        case (404, _), (_, "Email not found"): [.account]
        case (_, Self.tooManyCodes.message): [.rateLimit]
        case (_, Self.tooManyWrongCodes.message): [.codeAttempts]
        case (_, Self.unauthorized.message): .anyToken
        case (_, Self.passwordNotSet.message), (_, "Old password is incorrect"): [.password]
        case (_, "Invalid email or password"): [.account, .password, .emailVerified]
        case (_, "Authentication failed"): [.account, .fields]
        case (_, "Password already set for this account"), (_, "Password change failed"): [.state]
        case (401, _): [.codeValidity, .code]
        case (400, let text) where text.contains("ode has expired"),
            (400, let text) where text.hasPrefix("Invalid or expired"):
            [.codeValidity, .code]
        case (400, "Invalid JSON: the body cannot be read"), (400, "Invalid JSON: not an object"):
            [.body]
        default: [.fields]
        }
    }
}
