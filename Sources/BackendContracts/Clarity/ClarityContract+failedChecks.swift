import Backend
import Web

/// The checks that may have caused a failure of any of the servers.
extension ClarityGoogleFailure {
    var failedChecks: [RequestCheck] {
        if self == .missingAPIKey || self == .invalidAPIKey { return [.apiKey] }
        if self == .unauthenticated { return [.permission] }
        if self == .notFound { return [.route] }
        if reason == "parseError" { return [.body] }
        switch message.prefix(while: { $0 != " " }) {
        case "EMAIL_EXISTS": return [.emailAvailable]
        case "EMAIL_NOT_FOUND": return [.account]
        case "INVALID_LOGIN_CREDENTIALS", "INVALID_PASSWORD": return .credentials
        case "USER_DISABLED": return [.accountActive]
        case "TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT": return [.rateLimit]
        case "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "ADMIN_ONLY_OPERATION":
            return [.featureEnabled]
        case "INSUFFICIENT_PERMISSION": return [.permission]
        case "MISSING_ID_TOKEN":
            // Google's services take the token in the body.
            return CheckTrace.isPlanned(.authorizationHeader) ? [.authorizationHeader] : [.fields]
        case "INVALID_ID_TOKEN":
            return CheckTrace.isPlanned(.authorizationHeader)
                ? .anyToken : .anyToken.filter { $0 != .authorizationHeader }
        case "TOKEN_EXPIRED": return [.expiry, .session, .refreshTokenAge]
        case "USER_NOT_FOUND": return [.refreshToken, .tokenAccount]
        case "INVALID_REFRESH_TOKEN": return .anyRefreshToken
        case "INVALID_OOB_CODE", "EXPIRED_OOB_CODE": return [.codeValidity, .code]
        default: return [.fields]
        }
    }
}

extension ClarityFastAPIFailure {
    var failedChecks: [RequestCheck] {
        let kind = detail["type"]?.string ?? detail["error"]?.string
        switch (status, kind) {
        case (_, "self_signup_disabled"): return [.featureEnabled]
        case (_, "invalid_credentials"): return .credentials + [.accountActive]
        case (_, "email_not_verified"): return [.emailVerified]
        case (_, "account_locked"), (429, _): return [.rateLimit]
        case (_, "refresh_error"): return .anyRefreshToken
        case (_, "invalid_code"): return [.codeValidity, .code]
        case (_, "user_not_found"): return [.account]
        case (409, _): return [.emailAvailable]
        case (401, "invalid_token"): return .anyRefreshToken + .anyToken + [.session]
        case (401, _): return [.authorizationHeader]
        default: return [.fields]
        }
    }
}
