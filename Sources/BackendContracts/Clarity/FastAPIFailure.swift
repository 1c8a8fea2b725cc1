import Backend
import Web

/// A failure response of Clarity's FastAPI servers: `{"detail": …}`.
struct FastAPIFailure: ContractFailure {
    let status: Int
    let detail: JSON
    let failedChecks: [RequestCheck]
    let headers: Headers

    init(
        _ status: Int, _ detail: JSON, _ failedChecks: [RequestCheck] = [.fields],
        headers: Headers = [:]
    ) {
        self.status = status
        self.detail = detail
        self.failedChecks = failedChecks
        self.headers = headers
    }

    /// The format of the backend beside Firebase: an error code and its description.
    init(_ status: Int, error: String, _ description: String) {
        self.init(status, ["error": .string(error), "error_description": .string(description)])
    }

    /// The format of the Cognito backend: a problem (RFC 9457) inside `detail`.
    private init(
        _ status: Int, type: String, title: String, _ text: String, _ failedChecks: [RequestCheck]
    ) {
        self.init(
            status,
            [
                "type": .string(type), "title": .string(title), "detail": .string(text),
                "status": .int(Int64(status)),
                "instance": "https://api.clarity.health/requests/\(type)",
            ], failedChecks)
    }

    /// Errors of single fields. The values are not repeated.
    init(fieldErrors: [FastAPIBody.FieldError]) { self.init(422, .array(fieldErrors.map(\.json))) }

    var response: Response { .json(["detail": detail], status: status, headers: headers) }

    // MARK: The Cognito backend

    static let selfSignUpDisabled = Self(
        403, type: "self_signup_disabled", title: "Self-Signup Disabled",
        "Self-registration is currently disabled.", [.featureEnabled])
    static let userExists = Self(409, "User already exists", [.emailAvailable])
    static let invalidCredentials = Self(
        401, type: "invalid_credentials", title: "Invalid Credentials",
        "Invalid email or password.", .credentials + [.accountActive])
    static let emailNotVerified = Self(
        403, type: "email_not_verified", title: "Email Not Verified",
        "Please verify your email before logging in.", [.emailVerified])
    static let accountLocked = Self(
        429, type: "account_locked", title: "Account Locked",
        "Too many failed attempts. Please try again in 15 minutes.", [.rateLimit])
    static let missingRefreshToken = Self(
        422, type: "missing_refresh_token", title: "Missing Refresh Token",
        "Send the refresh token as bearer or in the body.", [.fields])
    static let refreshError = Self(
        500, type: "refresh_error", title: "Refresh Error", "Failed to refresh token.",
        .anyRefreshToken)
    static let invalidToken = Self(
        401, type: "invalid_token", title: "Invalid Token", "The token is not valid.",
        .anyRefreshToken + .anyToken + [.session])
    static let invalidCode = Self(
        400, type: "invalid_code", title: "Invalid Code",
        "The verification code is invalid or expired.", [.codeValidity, .code])
    static let userNotFound = Self(
        404, type: "user_not_found", title: "User Not Found", "No user has this email.", [.account])
    static let invalidEmail = Self(fieldErrors: [FastAPIBody.invalidEmail])

    /// In slowapi's wording.
    static func rateLimited(_ limit: RateLimit) -> Self {
        let seconds = limit.window.components.seconds
        return Self(
            429, "Rate limit exceeded: \(limit.count) per \(seconds) seconds", [.rateLimit],
            headers: ["Retry-After": String(seconds)])
    }

    // MARK: Other errors

    static let notAuthenticated = Self(
        401, "Not authenticated", [.authorizationHeader], headers: ["WWW-Authenticate": "Bearer"])
    static let busy = Self(503, "Service Unavailable", headers: .retryAfterOneSecond)

    static func unexpected(_ request: Request) -> Self { Self(500, "Internal Server Error") }

    init(_ error: BodyError, to request: Request) {
        self.init(fieldErrors: [FastAPIBody.FieldError(error)])
    }

    init(_ problem: Problem, to request: Request) {
        let detail =
            switch problem.status {
            case 404: "Not Found"
            case 405: "Method Not Allowed"
            default: problem.detail
            }
        self.init(problem.status, .string(detail), headers: problem.headers)
    }

    /// Translates Google's token failures into those of the backend that received the token.
    init(_ failure: GoogleFailure) {
        switch failure {
        case .missingIDToken: self = .notAuthenticated
        case .tokenExpired: self.init(401, error: "token_expired", "The token has expired")
        case .userNotFound: self.init(401, error: "user_not_found", "The token's user is gone")
        case .userDisabled:
            self.init(403, error: "account_disabled", "The account has been disabled")
        case .invalidRefreshToken:
            self.init(401, error: "invalid_refresh_token", "The refresh token is not valid")
        case .invalidCode, .expiredCode:
            self.init(
                400, error: "verification_failed", "The verification code is not valid any more")
        default: self.init(401, error: "invalid_token", "The token is not valid")
        }
    }
}
