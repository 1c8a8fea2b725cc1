import Backend
import Web

/// A failure response of Anonymous Wall's server, in either dialect: `{"success","message"}`, or
/// `{"error"}` and the Micronaut framework's own format with `_embedded` and `_links`.
struct WallFailure: ContractFailure { let row: FailureRow }

extension WallFailure {
    private static let frameworkCode = "framework"

    /// A failure that the Micronaut server's framework responds to, not the server's own code.
    static func framework(
        _ status: Int, _ message: String, _ failedChecks: [RequestCheck] = [.fields],
        headers: Headers = [:]
    ) -> Self { Self(status, frameworkCode, message, failedChecks, headers: headers) }

    func response(in dialect: WallDialect, path: String) -> Response {
        guard dialect == .micronaut else {
            return response(["success": false, "message": .string(message)])
        }
        if self == .emailExists { return Response(status: status) }
        var response = Response.plainJSON(
            code == Self.frameworkCode
                ? [
                    "message": .string(Self.reasonPhrase(status)),
                    "_embedded": ["errors": [["message": .string(message)]]],
                    "_links": ["self": ["href": .string(path), "templated": false]],
                ] : ["error": .string(message)], status: status)
        response.headers.fields += row.headers.fields
        return response
    }

    private static func reasonPhrase(_ status: Int) -> String {
        status == 413 ? "Request Entity Too Large" : Format.reasonPhrases[status] ?? "Error"
    }

    // MARK: The specification's dialect

    static let missingEmail = Self(400, "Email is required")
    static let invalidEmail = Self(400, "Please enter a valid email address")
    static let missingCode = Self(400, "Verification code is required")
    /// The Micronaut server sends it without a body.
    static let emailExists = Self(
        409, "An account with this email already exists", [.emailAvailable])
    static let unknownEmail = Self(404, "No account found with this email", [.account])
    static let invalidCode = Self(401, "Invalid verification code", [.codeValidity, .code])
    static let expiredCode = Self(
        401, "Verification code has expired. Please request a new one.", [.codeValidity, .code])
    static let tooManyCodes = Self(
        429, "Too many codes requested. Please try again later.", [.rateLimit])
    static let tooManyWrongCodes = Self(
        429, "Too many wrong codes. Please request a new one.", [.codeAttempts])

    // MARK: The Micronaut server's dialect

    static let micronautInvalidEmail = Self(400, "Invalid email")
    static let emailNotFound = Self(400, "Email not found", [.account])
    static let noAccountToReset = Self(404, "Email not found", [.account])
    static let authenticationFailed = Self(400, "Authentication failed", [.account, .fields])
    static let wrongEmailOrPassword = Self(
        400, "Invalid email or password", [.account, .password, .emailVerified])
    static let codeHasExpired = Self(400, "Code has expired", [.codeValidity, .code])
    static let invalidOrExpiredCode = Self(400, "Invalid or expired code", [.codeValidity, .code])
    static let resetCodeHasExpired = Self(400, "Reset code has expired", [.codeValidity, .code])
    static let invalidOrExpiredResetCode = Self(
        400, "Invalid or expired reset code", [.codeValidity, .code])
    static let unauthorized = framework(401, "Unauthorized", .anyToken)
    static let passwordNotSet = Self(400, "Password not set for this account", [.password])
    static let passwordAlreadySet = Self(400, "Password already set for this account", [.state])
    static let passwordChangeFailed = Self(400, "Password change failed", [.state])
    static let wrongOldPassword = Self(400, "Old password is incorrect", [.password])
    static let missingPassword = Self(400, "Password is required")

    // MARK: Sessions and posts, in both dialects

    static let missingRefreshToken = Self(400, "Refresh token is required")
    static let invalidRefreshToken = Self(401, "Invalid refresh token", .anyRefreshToken)
    static let missingContent = Self(400, "Content is required")
    static let contentTooLong = Self(
        400, "Content must have at most \(WallPost.maxLength) characters")

    static func refreshTokenEnded(_ ending: RefreshFamily.RejectionReason) -> Self {
        switch ending {
        case .sessionEnded: Self(401, "Session has ended", .anyRefreshToken)
        case .reuseDetected: Self(401, "Refresh token was used before", .anyRefreshToken)
        case .expired: Self(401, "Refresh token has expired", .anyRefreshToken)
        }
    }

    /// A query parameter that is no number in its range.
    static func invalidParameter(_ name: String) -> Self { Self(400, "Invalid \(name)") }

    // MARK: Other errors

    static let busy = framework(
        503, "The server is busy. Please try again.", headers: .retryAfterOneSecond)

    static func unexpected(_ request: Request) -> Self { framework(500, "Internal Server Error") }

    init(_ error: BodyError, to request: Request) {
        let message =
            switch error {
            case .unsupportedMediaType:
                """
                Content Type [\(request.mediaType.prefix(100))] not allowed. \
                Allowed types: [application/json]
                """
            case .malformed: "Invalid JSON: the body cannot be read"
            case .notAnObject: "Invalid JSON: not an object"
            case .notAString(let name): "Invalid JSON: \(name) is no text"
            case .tooLong, .containsNUL: error.message
            }
        self = .framework(error == .unsupportedMediaType ? 415 : 400, message)
    }

    init(_ problem: Problem, to request: Request) {
        var (message, headers) = (problem.detail, problem.headers)
        switch problem.code {
        case "not-found": (message, headers) = ("Page Not Found", [:])
        case "method-not-allowed":
            // The real server's routes have no OPTIONS.
            let allowed = (problem.headers["Allow"] ?? "").replacing("OPTIONS, ", with: "")
            message = """
                Method [\(request.method.rawValue)] not allowed for URI \
                [\(request.serverPath(after: 2))]. Allowed methods: [\(allowed)]
                """
            headers = ["Allow": allowed]
        default: break
        }
        self = .framework(problem.status, message, headers: headers)
    }
}
