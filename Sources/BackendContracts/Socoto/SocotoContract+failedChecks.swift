import Backend

/// The checks that may have caused a failure of either server, by its code.
extension SocotoAuthFailure {
    var failedChecks: [RequestCheck] {
        switch code {
        case "over_request_rate_limit", "over_email_send_rate_limit": [.rateLimit]
        case "signup_disabled", "anonymous_provider_disabled", "phone_provider_disabled":
            [.featureEnabled]
        case "user_already_exists", "email_exists": [.emailAvailable]
        case "invalid_credentials": self == .unsupportedGrantType ? [.fields] : .credentials
        case "email_not_confirmed": [.emailVerified]
        case "user_banned": [.accountActive]
        case "same_password", "conflict", "reauthentication_needed": [.state]
        case "no_authorization": [.authorizationHeader]
        case "bad_jwt": .anyToken
        case "user_not_found": [.tokenAccount]
        case "session_not_found": [.session]
        case "refresh_token_not_found", "refresh_token_already_used": .anyRefreshToken
        case "otp_expired": .anyCode
        case "flow_state_not_found", "flow_state_expired", "bad_code_verifier": [.code]
        case "not_admin": [.permission]
        case "bad_json": [.body]
        default: [.fields]
        }
    }
}

extension SocotoRestFailure {
    var failedChecks: [RequestCheck] {
        switch code {
        case "PGRST125", "PGRST205", "PGRST117": [.route]
        case "PGRST102": [.body]
        case "PGRST116", "PGRST103": [.state]
        case "PGRST301", "PGRST303": .anyToken
        case "42501": [.permission]
        case "23505", "23503": [.state]
        default: [.fields]
        }
    }
}

extension SocotoGateway.Refusal {
    var failedChecks: [RequestCheck] { self == .noRoute ? [.route] : [.apiKey] }
}
