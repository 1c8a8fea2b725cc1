import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

/// A failure response of Mystica's server: `{"error":{"code","message","details"?}}`.
///
/// Statuses are the specification's (F-07, API Requirements). Codes and messages are the real
/// server's where it uses the same status.
struct MysticaFailure: ExpectedError, Sendable, Equatable {
    let status: Int
    let code: String
    let message: String
    var details: JSON?
    /// For an unknown route only.
    var timestamp: String?
    var headers = Headers()

    init(_ status: Int, _ code: String, _ message: String, details: JSON? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
    }

    var response: Response {
        var error: [JSON.Member] = [
            .init("code", .string(code)), .init("message", .string(message)),
        ]
        if let details { error.append(.init("details", details)) }
        if let timestamp { error.append(.init("timestamp", .string(timestamp))) }
        var response = Response.json(["error": .object(error)], status: status)
        response.headers.fields += headers.fields
        return response
    }

    /// An invalid field, as the server's validator reports it.
    static func field(_ name: String, _ message: String, code: String) -> MysticaFailure {
        MysticaFailure(
            400, "VALIDATION_ERROR", "Request validation failed",
            details: [
                [
                    "field": .string("body.\(name)"), "message": .string(message),
                    "code": .string(code),
                ]
            ])
    }

    // MARK: Accounts

    static let missingCredentials = MysticaFailure(
        400, "MISSING_CREDENTIALS", "Validation failed: Email and password are required")
    static let invalidEmail = MysticaFailure(
        400, "INVALID_EMAIL", "Validation failed: Email must be a valid email address")
    static let weakPassword = MysticaFailure(
        400, "WEAK_PASSWORD", "Validation failed: Password must be at least 8 characters long")
    static let emailExists = MysticaFailure(
        422, "EMAIL_EXISTS",
        "Conflict: Email already registered. Please login or reset your password.")
    static let invalidCredentials = MysticaFailure(
        400, "INVALID_CREDENTIALS", "Validation failed: Invalid email or password")
    static let emailNotVerified = MysticaFailure(
        401, "email_not_verified", "Please verify your email")
    static let accountDisabled = MysticaFailure(
        401, "account_disabled", "This account has been disabled")
    static let missingEmail = MysticaFailure(
        400, "MISSING_EMAIL", "Validation failed: Email is required")
    static let missingDeviceID = MysticaFailure(
        400, "MISSING_DEVICE_ID", "Validation failed: Device ID is required")

    static func accountLocked(seconds: Int64) -> MysticaFailure {
        var failure = MysticaFailure(
            429, "account_locked", "Too many failed attempts. Please try again later.")
        failure.headers = ["Retry-After": String(seconds)]
        return failure
    }

    // MARK: Tokens

    static let missingToken = MysticaFailure(
        401, "missing_token",
        "Missing or invalid authorization header. Expected format: Bearer <token>")
    static let emptyToken = MysticaFailure(401, "empty_token", "JWT token is empty")
    static let tokenExpired = MysticaFailure(
        401, "token_expired", "Token has expired. Please refresh your session.")
    static let missingRefreshToken = MysticaFailure(
        400, "MISSING_REFRESH_TOKEN", "Validation failed: Refresh token is required")
    static let logoutWithoutToken = MysticaFailure(
        401, "MISSING_TOKEN", "Authorization header missing or malformed")

    /// `reason` is for the developer, in addition to the code the app reads.
    static func invalidToken(_ reason: String? = nil) -> MysticaFailure {
        MysticaFailure(
            401, "invalid_token", "Invalid or expired JWT token", details: reason.map(JSON.string))
    }

    static func invalidRefreshToken(_ reason: String? = nil) -> MysticaFailure {
        MysticaFailure(
            401, "INVALID_REFRESH_TOKEN", "Validation failed: Invalid or expired refresh token",
            details: reason.map(JSON.string))
    }
}

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

/// Body errors in the format of Mystica's server.
extension MysticaFailure {
    init(_ error: BodyError) {
        self =
            switch error {
            case .unsupportedMediaType:
                MysticaFailure(
                    415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as Content-Type: application/json"
                )
            case .malformed:
                MysticaFailure(400, "INVALID_JSON", "The request body is not valid JSON")
            case .notAnObject:
                MysticaFailure(400, "INVALID_JSON", "The request body must be a JSON object")
            case .notAString(let name): .field(name, "Expected string", code: "invalid_type")
            case .tooLong(let name, let limit):
                .field(name, "Must have at most \(limit) bytes", code: "too_big")
            case .containsNUL(let name):
                .field(name, "Must not hold a NUL character", code: "invalid_string")
            }
    }
}

extension MysticaFailure {
    /// Maps any error to a failure. An unexpected error becomes a 500 without internal details.
    init(_ error: any Error, to request: Request, at now: Timestamp) {
        switch error {
        case let failure as MysticaFailure: self = failure
        case let error as BodyError: self.init(error)
        case let problem as Problem: self.init(problem, request, now)
        case let error where error.isBusy: self = .busy
        default: self.init(500, "INTERNAL_ERROR", "Internal server error")
        }
    }

    private static var busy: MysticaFailure {
        var failure = MysticaFailure(
            503, "SERVICE_UNAVAILABLE", "The server is busy. Please try again.")
        failure.headers = ["Retry-After": "1"]
        return failure
    }

    private init(_ problem: Problem, _ request: Request, _ now: Timestamp) {
        switch (problem.status, problem.code) {
        case (404, "not-found"):
            let path = request.target.prefix { $0 != "?" }.prefix(200)
            self.init(404, "NOT_FOUND", "Route \(request.method.rawValue) \(path) not found")
            timestamp = now.date.iso8601
        case (405, _): self.init(405, "METHOD_NOT_ALLOWED", problem.detail)
        case (415, _): self.init(415, "UNSUPPORTED_MEDIA_TYPE", problem.detail)
        default:
            let code = problem.code.uppercased().replacing("-", with: "_")
            self.init(problem.status, code, problem.detail)
        }
        headers = problem.headers
    }
}
