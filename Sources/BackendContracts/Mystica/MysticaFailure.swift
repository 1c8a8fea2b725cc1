import Backend
import Web

/// A failure response of Mystica's server: `{"error":{"code","message","details"?}}`.
///
/// Statuses are the specification's (F-07, API Requirements). Codes and messages are the real
/// server's where it uses the same status.
struct MysticaFailure: ContractFailure { let row: FailureRow }

extension MysticaFailure {
    /// The response; one to an unknown route contains the time.
    func response(at now: Timestamp) -> Response {
        response([
            "error": .omittingNil([
                "code": .string(code), "message": .string(message), "details": details,
                "timestamp": code == Self.notFoundCode ? .string(now.date.iso8601) : nil,
            ])
        ])
    }

    private static let notFoundCode = "NOT_FOUND"

    /// An invalid field, as the server's validator reports it.
    static func field(_ name: String, _ message: String, code: String) -> Self {
        Self(
            400, "VALIDATION_ERROR", "Request validation failed",
            details: [
                ["field": "body.\(name)", "message": .string(message), "code": .string(code)]
            ])
    }

    // MARK: Accounts

    static let missingCredentials = Self(
        400, "MISSING_CREDENTIALS", "Validation failed: Email and password are required")
    static let invalidEmail = Self(
        400, "INVALID_EMAIL", "Validation failed: Email must be a valid email address")
    static let weakPassword = Self(
        400, "WEAK_PASSWORD", "Validation failed: Password must be at least 8 characters long")
    static let emailExists = Self(
        422, "EMAIL_EXISTS",
        "Conflict: Email already registered. Please login or reset your password.",
        [.emailAvailable])
    static let invalidCredentials = Self(
        400, "INVALID_CREDENTIALS", "Validation failed: Invalid email or password", .credentials)
    static let emailNotVerified = Self(
        401, "email_not_verified", "Please verify your email", [.emailVerified])
    static let accountDisabled = Self(
        401, "account_disabled", "This account has been disabled", [.accountActive])
    static let missingEmail = Self(400, "MISSING_EMAIL", "Validation failed: Email is required")
    static let missingDeviceID = Self(
        400, "MISSING_DEVICE_ID", "Validation failed: Device ID is required")

    static let tooManyLogins = Self(
        429, "too_many_attempts", "Too many failed attempts. Please try again later.",
        [.rateLimit], headers: ["Retry-After": "900"])

    static func accountLocked(seconds: Int64) -> Self {
        Self(
            429, "account_locked", "Too many failed attempts. Please try again later.",
            [.accountActive], headers: ["Retry-After": String(seconds)])
    }

    // MARK: Tokens

    static let missingToken = Self(
        401, "missing_token",
        "Missing or invalid authorization header. Expected format: Bearer <token>",
        [.authorizationHeader])
    static let emptyToken = Self(401, "empty_token", "JWT token is empty", [.authorizationHeader])
    static let tokenExpired = Self(
        401, "token_expired", "Token has expired. Please refresh your session.", [.expiry])
    static let missingRefreshToken = Self(
        400, "MISSING_REFRESH_TOKEN", "Validation failed: Refresh token is required")
    static let logoutWithoutToken = Self(
        401, "MISSING_TOKEN", "Authorization header missing or malformed", [.authorizationHeader])

    /// `reason` is for the developer, in addition to the code the app reads.
    static func invalidToken(_ reason: String? = nil) -> Self {
        Self(
            401, "invalid_token", "Invalid or expired JWT token", .anyToken,
            details: reason.map(JSON.string))
    }

    static func invalidRefreshToken(_ reason: String? = nil) -> Self {
        Self(
            401, "INVALID_REFRESH_TOKEN", "Validation failed: Invalid or expired refresh token",
            .anyRefreshToken, details: reason.map(JSON.string))
    }

    // MARK: Other errors

    static let busy = Self(
        503, "SERVICE_UNAVAILABLE", "The server is busy. Please try again.",
        headers: .retryAfterOneSecond)

    static func unexpected(_ request: Request) -> Self {
        Self(500, "INTERNAL_ERROR", "Internal server error")
    }

    init(_ error: BodyError, to request: Request) {
        self =
            switch error {
            case .unsupportedMediaType: Self(415, "UNSUPPORTED_MEDIA_TYPE", error.message)
            case .malformed, .notAnObject: Self(400, "INVALID_JSON", error.message)
            case .notAString(let name): .field(name, "Expected string", code: "invalid_type")
            case .tooLong(let name, let limit):
                .field(name, "Must have at most \(limit) bytes", code: "too_big")
            case .containsNUL(let name):
                .field(name, "Must not hold a NUL character", code: "invalid_string")
            }
    }

    init(_ problem: Problem, to request: Request) {
        var (code, message) = (problem.code.uppercased().replacing("-", with: "_"), problem.detail)
        switch (problem.status, problem.code) {
        case (404, "not-found"):
            code = Self.notFoundCode
            let path = request.target.prefix { $0 != "?" }.prefix(200)
            message = "Route \(request.method.rawValue) \(path) not found"
        case (405, _): code = "METHOD_NOT_ALLOWED"
        case (415, _): code = "UNSUPPORTED_MEDIA_TYPE"
        default: break
        }
        self.init(problem.status, code, message, headers: problem.headers)
    }
}
