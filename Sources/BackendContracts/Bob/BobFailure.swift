import Backend
import Web

/// A failure response of Bob's server in either dialect: `{"message","status_code","error"}` or
/// `{"message","error","statusCode"}`.
struct BobFailure: ContractFailure { let row: FailureRow }

extension BobFailure {
    /// The broken rules of the real server's validator.
    init(_ brokenRules: [String]) {
        self.init(400, "", details: .array(brokenRules.map(JSON.string)))
    }

    func response(in dialect: BobDialect) -> Response {
        let message = details ?? .string(message)
        let code = JSON.int(Int64(status))
        let statusText = (status == 413 ? "Payload Too Large" : Format.reasonPhrases[status]).map(
            JSON.string)
        // NestJS names no status where its limiter, or its handler of last resort, responds.
        let hasNestStatusText = status != 429 && self != .internalError
        switch (dialect, statusText) {
        case (.specification, _):
            return response(["message": message, "status_code": code, "error": statusText ?? .null])
        case (.nest, let statusText?) where hasNestStatusText:
            return response(["message": message, "error": statusText, "statusCode": code])
        case (.nest, _): return response(["statusCode": code, "message": message])
        }
    }

    // MARK: Accounts

    static let invalidCredentials = Self(401, "Invalid credentials", .credentials)
    static let accountInactive = Self(401, "User account is inactive", [.accountActive])
    static let emailExists = Self(
        409, "An account with this email address already exists", [.emailAvailable])
    static let tooManyLogins = Self(
        429, "Too many failed login attempts. Please try again in 15 minutes.", [.rateLimit])

    // MARK: Tokens

    static let invalidAccessToken = Self(401, "Invalid or expired access token", .anyToken)
    static let missingRefreshToken = Self(400, "Refresh token is required")
    static let invalidRefreshToken = Self(401, "Invalid refresh token", .anyRefreshToken)
    static let tooManyRefreshes = Self(
        429, "Too many refresh requests. Please try again later.", [.rateLimit])

    static func refreshTokenEnded(_ ending: RefreshFamily.RejectionReason) -> Self {
        switch ending {
        case .sessionEnded: Self(401, "Refresh token has been revoked", .anyRefreshToken)
        case .expired: Self(401, "Refresh token has expired", .anyRefreshToken)
        case .reuseDetected:
            Self(403, "Token reuse detected. All sessions have been terminated.", .anyRefreshToken)
        }
    }

    // MARK: Other errors

    static let busy = Self(
        503, "The server is busy. Please try again.", headers: .retryAfterOneSecond)

    private static let internalError = Self(500, "Internal server error")

    static func unexpected(_ request: Request) -> Self {
        BobDialect(request).serverPath(of: request).hasPrefix("/api/auth/login")
            ? Self(500, "An unexpected error occurred during login. Please try again.")
            : internalError
    }

    init(_ error: BodyError, to request: Request) {
        self.init(error == .unsupportedMediaType ? 415 : 400, error.message)
    }

    init(_ problem: Problem, to request: Request) {
        let dialect = BobDialect(request)
        switch (problem.code, dialect) {
        // The real server has no 405.
        case ("not-found", _), ("method-not-allowed", .nest):
            let path = dialect.serverPath(of: request)
            self.init(404, "Cannot \(request.method.rawValue) \(path)")
        default: self.init(problem.status, problem.detail, headers: problem.headers)
        }
    }
}
