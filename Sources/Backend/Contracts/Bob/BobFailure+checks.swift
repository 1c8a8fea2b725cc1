import Web

extension BobFailure {
    /// The checks it may rest on.
    var checks: [Check] {
        if self == .invalidAccessToken { return .anyToken }
        if self == .inactive { return [.standing] }
        if self == .invalidCredentials { return .credentials }
        switch status {
        case 401, 403: return .anyRefresh
        case 409: return [.addressFree]
        case 413, 415: return [.body]
        case 429: return [.limit]
        default: break
        }
        // The validator's own are lists; what cannot be parsed is named so.
        let words = message.string ?? ""
        return words.hasPrefix("Unexpected") ? [.body] : [.fields]
    }
}
