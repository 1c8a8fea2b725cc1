import Backend
import Web

/// A failure response of Bob's server in either dialect: `{"message","status_code","error"}` or
/// `{"message","error","statusCode"}`.
struct BobFailure: ExpectedError, Sendable, Equatable {
    let status: Int
    /// A text, or the list of the real server's validator.
    let message: JSON
    /// Nil where the real server leaves it out.
    let statusText: String?
    var headers = Headers()

    package init(_ status: Int, _ message: String) {
        self.init(status, .string(message), Self.statusTexts[status])
    }

    private init(_ status: Int, _ message: JSON, _ statusText: String?) {
        self.status = status
        self.message = message
        self.statusText = statusText
    }

    /// A 400 with the validator's messages.
    static func validationErrors(_ messages: [String]) -> BobFailure {
        BobFailure(400, .array(messages.map(JSON.string)), statusTexts[400])
    }

    /// A failure whose body has no status text in the NestJS dialect.
    static func withoutStatusText(_ status: Int, _ message: String) -> BobFailure {
        BobFailure(status, .string(message), nil)
    }

    func response(in dialect: BobDialect) -> Response {
        let code = JSON.int(Int64(status))
        let body: JSON =
            switch dialect {
            case .specification:
                [
                    "message": message, "status_code": code,
                    "error": JSON(statusText ?? Self.statusTexts[status]),
                ]
            case .nest:
                if let error = statusText {
                    ["message": message, "error": .string(error), "statusCode": code]
                } else {
                    ["statusCode": code, "message": message]
                }
            }
        var response = Response.json(body, status: status)
        response.headers.fields += headers.fields
        return response
    }

    private static let statusTexts = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
        413: "Payload Too Large", 415: "Unsupported Media Type",
        429: "Too Many Requests", 500: "Internal Server Error",
        503: "Service Unavailable",
    ]

    // MARK: Accounts

    static let invalidCredentials = BobFailure(401, "Invalid credentials")
    static let accountInactive = BobFailure(401, "User account is inactive")
    static let emailExists = BobFailure(409, "An account with this email address already exists")
    static let tooManyLogins = withoutStatusText(
        429, "Too many failed login attempts. Please try again in 15 minutes.")

    // MARK: Tokens

    static let invalidAccessToken = BobFailure(401, "Invalid or expired access token")
    static let missingRefreshToken = BobFailure(400, "Refresh token is required")
    static let invalidRefreshToken = BobFailure(401, "Invalid refresh token")
    static let tooManyRefreshes = withoutStatusText(
        429, "Too many refresh requests. Please try again later.")

    static func refreshTokenEnded(_ ending: RefreshFamily.RejectionReason) -> BobFailure {
        switch ending {
        case .sessionEnded: BobFailure(401, "Refresh token has been revoked")
        case .expired: BobFailure(401, "Refresh token has expired")
        case .reuseDetected:
            BobFailure(403, "Token reuse detected. All sessions have been terminated.")
        }
    }
}

extension BobFailure {
    /// The checks that may have failed.
    var failedChecks: [RequestCheck] {
        if self == .invalidAccessToken { return .anyToken }
        if self == .accountInactive { return [.accountActive] }
        if self == .invalidCredentials { return .credentials }
        switch status {
        case 401, 403: return .anyRefreshToken
        case 409: return [.emailAvailable]
        case 413, 415: return [.body]
        case 429: return [.rateLimit]
        default: break
        }
        // The validator's messages are lists. A body that cannot be parsed has an "Unexpected …"
        // message.
        let text = message.string ?? ""
        return text.hasPrefix("Unexpected") ? [.body] : [.fields]
    }
}
