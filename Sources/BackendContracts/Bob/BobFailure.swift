import Backend
import Web

/// A failure response of Bob's server in either dialect: `{"message","status_code","error"}` or
/// `{"message","error","statusCode"}`.
struct BobFailure: ContractFailure {
    let status: Int
    /// A text, or the list of the real server's validator.
    let message: JSON
    let failedChecks: [RequestCheck]
    /// Whether the NestJS dialect names the status.
    let hasStatusText: Bool
    let headers: Headers

    init(
        _ status: Int, _ message: JSON, _ failedChecks: [RequestCheck] = [.fields],
        hasStatusText: Bool = true, headers: Headers = [:]
    ) {
        self.status = status
        self.message = message
        self.failedChecks = failedChecks
        self.hasStatusText = hasStatusText
        self.headers = headers
    }

    func response(in dialect: BobDialect) -> Response {
        let code = JSON.int(Int64(status))
        let statusText = Self.statusTexts[status].map(JSON.string)
        let body: JSON =
            switch (dialect, statusText) {
            case (.specification, _):
                ["message": message, "status_code": code, "error": statusText ?? .null]
            case (.nest, let statusText?) where hasStatusText:
                ["message": message, "error": statusText, "statusCode": code]
            case (.nest, _): ["statusCode": code, "message": message]
            }
        return .json(body, status: status, headers: headers)
    }

    private static let statusTexts = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 409: "Conflict", 413: "Payload Too Large",
        415: "Unsupported Media Type", 429: "Too Many Requests", 500: "Internal Server Error",
        503: "Service Unavailable",
    ]

    // MARK: Accounts

    static let invalidCredentials = Self(401, "Invalid credentials", .credentials)
    static let accountInactive = Self(401, "User account is inactive", [.accountActive])
    static let emailExists = Self(
        409, "An account with this email address already exists", [.emailAvailable])
    static let tooManyLogins = Self(
        429, "Too many failed login attempts. Please try again in 15 minutes.", [.rateLimit],
        hasStatusText: false)

    // MARK: Tokens

    static let invalidAccessToken = Self(401, "Invalid or expired access token", .anyToken)
    static let missingRefreshToken = Self(400, "Refresh token is required")
    static let invalidRefreshToken = Self(401, "Invalid refresh token", .anyRefreshToken)
    static let tooManyRefreshes = Self(
        429, "Too many refresh requests. Please try again later.", [.rateLimit],
        hasStatusText: false)

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

    static func unexpected(_ request: Request) -> Self {
        let dialect = BobDialect(request)
        if dialect.serverPath(of: request).hasPrefix("/api/auth/login") {
            return Self(500, "An unexpected error occurred during login. Please try again.")
        }
        return Self(500, "Internal server error", hasStatusText: dialect == .specification)
    }

    init(_ error: BodyError, to request: Request) {
        self.init(error == .unsupportedMediaType ? 415 : 400, .string(error.message))
    }

    init(_ problem: Problem, to request: Request) {
        let dialect = BobDialect(request)
        switch (problem.code, dialect) {
        // The real server has no 405.
        case ("not-found", _), ("method-not-allowed", .nest):
            let path = dialect.serverPath(of: request)
            self.init(404, "Cannot \(request.method.rawValue) \(path)")
        default: self.init(problem.status, .string(problem.detail), headers: problem.headers)
        }
    }
}
