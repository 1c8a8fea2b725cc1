/// The checks a failure of either server may rest on, by its code.
extension SocotoContract {
    @Sendable static func checks(_ error: any Error) -> [Check]? {
        switch error {
        case let failure as SocotoFailure: checks(of: failure)
        case let failure as SocotoRestFailure: checks(of: failure)
        case let refusal as SocotoGateway.Refusal: refusal == .nothingHere ? [.route] : [.key]
        default: nil
        }
    }

    private static func checks(of failure: SocotoFailure) -> [Check] {
        switch failure.code {
        case "over_request_rate_limit", "over_email_send_rate_limit": [.limit]
        case "signup_disabled", "anonymous_provider_disabled", "phone_provider_disabled": [.setting]
        case "user_already_exists", "email_exists": [.addressFree]
        case "invalid_credentials": failure == .unknownGrant ? [.fields] : .credentials
        case "email_not_confirmed": [.verified]
        case "user_banned": [.standing]
        case "same_password", "conflict", "reauthentication_needed": [.state]
        case "no_authorization": [.header]
        case "bad_jwt": .anyToken
        case "user_not_found": [.holder]
        case "session_not_found": [.session]
        case "refresh_token_not_found", "refresh_token_already_used": .anyRefresh
        case "otp_expired": .anyCode
        case "flow_state_not_found", "flow_state_expired", "bad_code_verifier": [.code]
        case "not_admin": [.permission]
        case "bad_json": [.body]
        default: [.fields]
        }
    }

    private static func checks(of failure: SocotoRestFailure) -> [Check] {
        switch failure.code {
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
