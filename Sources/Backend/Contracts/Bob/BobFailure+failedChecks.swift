import Web

extension BobFailure {
    /// The checks that may have failed.
    var failedChecks: [RequestCheck] {
        if self == .invalidAccessToken { return .anyToken }
        if self == .accountInactive { return [.accountActive] }
        if self == .invalidCredentials { return .credentials }
        switch status {
        case 401, 403: return .anyRefreshToken
        case 409: return [.emailAvailable]
        case 413, 415: return [.body]
        case 429: return [.rateLimit]
        default: break
        }
        // The validator's messages are lists. A body that cannot be parsed has an "Unexpected …"
        // message.
        let text = message.string ?? ""
        return text.hasPrefix("Unexpected") ? [.body] : [.fields]
    }
}
