import Web

/// The checks a failure of any of the servers may rest on.
extension ClarityContract {
    @Sendable static func checks(_ error: any Error) -> [Check]? {
        switch error {
        case let failure as ClarityFailure: checks(of: failure)
        case let problem as ClarityProblem: checks(of: problem)
        default: nil
        }
    }

    private static func checks(of failure: ClarityFailure) -> [Check] {
        if failure == .missingKey || failure == .invalidKey { return [.key] }
        if failure == .unauthenticated { return [.permission] }
        if failure == .notFound { return [.route] }
        if failure.reason == "parseError" { return [.body] }
        switch failure.message.prefix(while: { $0 != " " }) {
        case "EMAIL_EXISTS": return [.addressFree]
        case "EMAIL_NOT_FOUND": return [.account]
        case "INVALID_LOGIN_CREDENTIALS", "INVALID_PASSWORD": return .credentials
        case "USER_DISABLED": return [.standing]
        case "TOO_MANY_ATTEMPTS_TRY_LATER", "RESET_PASSWORD_EXCEED_LIMIT": return [.limit]
        case "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "ADMIN_ONLY_OPERATION":
            return [.setting]
        case "INSUFFICIENT_PERMISSION": return [.permission]
        case "MISSING_ID_TOKEN":
            // Google's services take it in the body.
            return Trail.expects(.header) ? [.header] : [.fields]
        case "INVALID_ID_TOKEN":
            return Trail.expects(.header) ? .anyToken : .anyToken.filter { $0 != .header }
        case "TOKEN_EXPIRED": return [.expiry, .session, .age]
        case "USER_NOT_FOUND": return [.refresh, .holder]
        case "INVALID_REFRESH_TOKEN": return .anyRefresh
        case "INVALID_OOB_CODE", "EXPIRED_OOB_CODE": return [.codeFresh, .code]
        default: return [.fields]
        }
    }

    private static func checks(of problem: ClarityProblem) -> [Check] {
        let kind = problem.detail["type"]?.string ?? problem.detail["error"]?.string
        switch (problem.status, kind) {
        case (_, "self_signup_disabled"): return [.setting]
        case (_, "invalid_credentials"): return .credentials + [.standing]
        case (_, "email_not_verified"): return [.verified]
        case (_, "account_locked"), (429, _): return [.limit]
        case (_, "refresh_error"): return .anyRefresh
        case (_, "invalid_code"): return [.codeFresh, .code]
        case (_, "user_not_found"): return [.account]
        case (409, _): return [.addressFree]
        case (401, "invalid_token"): return .anyRefresh + .anyToken + [.session]
        case (401, _): return [.header]
        default: return [.fields]
        }
    }
}
