import Web

extension WallFailure {
    /// The checks it may rest on; several of them share their words.
    var checks: [Check] {
        switch (status, words) {
        case (415, _): [.body]
        case (409, _): [.addressFree]
        case (404, _), (_, "Email not found"): [.account]
        case (_, Self.tooManyCodes.words): [.limit]
        case (_, Self.tooManyGuesses.words): [.guesses]
        case (_, Self.unauthorized.words): .anyToken
        case (_, Self.passwordNotSet.words), (_, "Old password is incorrect"): [.password]
        case (_, "Invalid email or password"): [.account, .password, .verified]
        case (_, "Authentication failed"): [.account, .fields]
        case (_, "Password already set for this account"), (_, "Password change failed"): [.state]
        case (401, _): [.codeFresh, .code]
        case (400, let words) where words.contains("ode has expired"),
            (400, let words) where words.hasPrefix("Invalid or expired"):
            [.codeFresh, .code]
        case (400, "Invalid JSON: the body cannot be read"), (400, "Invalid JSON: not an object"):
            [.body]
        default: [.fields]
        }
    }
}
