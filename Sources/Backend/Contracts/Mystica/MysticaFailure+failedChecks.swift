import Web

extension MysticaFailure {
    /// The checks that may have failed.
    var failedChecks: [RequestCheck] {
        switch code {
        case "UNSUPPORTED_MEDIA_TYPE", "INVALID_JSON": [.body]
        case "EMAIL_EXISTS": [.emailAvailable]
        case "INVALID_CREDENTIALS": .credentials
        case "email_not_verified": [.emailVerified]
        case "account_disabled", "account_locked": [.accountActive]
        case "missing_token", "empty_token", "MISSING_TOKEN": [.authorizationHeader]
        case "token_expired": [.expiry]
        case "invalid_token": .anyToken
        case "INVALID_REFRESH_TOKEN": .anyRefreshToken
        case _ where status == 429: [.rateLimit]
        default: [.fields]
        }
    }
}
