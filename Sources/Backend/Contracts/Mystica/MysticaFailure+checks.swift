import Web

extension MysticaFailure {
    /// The checks it may rest on.
    var checks: [Check] {
        switch code {
        case "UNSUPPORTED_MEDIA_TYPE", "INVALID_JSON": [.body]
        case "EMAIL_EXISTS": [.addressFree]
        case "INVALID_CREDENTIALS": .credentials
        case "email_not_verified": [.verified]
        case "account_disabled", "account_locked": [.standing]
        case "missing_token", "empty_token", "MISSING_TOKEN": [.header]
        case "token_expired": [.expiry]
        case "invalid_token": .anyToken
        case "INVALID_REFRESH_TOKEN": .anyRefresh
        case _ where status == 429: [.limit]
        default: [.fields]
        }
    }
}
