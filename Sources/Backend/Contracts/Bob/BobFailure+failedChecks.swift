import Web

extension BobFailure {
    /// The checks it may rest on.
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
        // The validator's own are lists; what cannot be parsed is named so.
        let words = message.string ?? ""
        return words.hasPrefix("Unexpected") ? [.body] : [.fields]
    }
}
