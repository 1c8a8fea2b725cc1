import Backend
import Web

/// A failure response of Anonymous Wall's server, in either dialect.
struct WallFailure: ExpectedError, Sendable, Equatable {
    let status: Int
    let message: String
    var bodyFormat = BodyFormat.plain
    var headers = Headers()

    /// The body in the Micronaut server's dialect. The specification has only one format.
    enum BodyFormat: Sendable {
        /// `{"error"}`, from the server's own code.
        case plain
        /// No body at all.
        case empty
        /// The framework's format, with `_embedded` and `_links`.
        case framework
    }

    init(_ status: Int, _ message: String, _ bodyFormat: BodyFormat = .plain) {
        self.status = status
        self.message = message
        self.bodyFormat = bodyFormat
    }

    func response(in dialect: WallDialect, path: String) -> Response {
        var response: Response
        switch (dialect, bodyFormat) {
        case (.specification, _):
            response = .json(["success": false, "message": .string(message)], status: status)
        case (.micronaut, .plain):
            response = .plainJSON(["error": .string(message)], status: status)
        case (.micronaut, .empty): response = Response(status: status)
        case (.micronaut, .framework):
            response = .plainJSON(
                [
                    "message": .string(Self.statusTexts[status] ?? "Error"),
                    "_embedded": ["errors": [["message": .string(message)]]],
                    "_links": ["self": ["href": .string(path), "templated": false]],
                ], status: status)
        }
        response.headers.fields += headers.fields
        return response
    }

    private static let statusTexts = [
        400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
        405: "Method Not Allowed", 413: "Request Entity Too Large",
        415: "Unsupported Media Type", 500: "Internal Server Error",
        503: "Service Unavailable",
    ]

    // MARK: The specification's dialect

    static let missingEmail = WallFailure(400, "Email is required")
    static let invalidEmail = WallFailure(400, "Please enter a valid email address")
    static let missingCode = WallFailure(400, "Verification code is required")
    static let emailExists = WallFailure(409, "An account with this email already exists", .empty)
    static let unknownEmail = WallFailure(404, "No account found with this email")
    static let invalidCode = WallFailure(401, "Invalid verification code")
    static let expiredCode = WallFailure(
        401, "Verification code has expired. Please request a new one.")
    static let tooManyCodes = WallFailure(429, "Too many codes requested. Please try again later.")
    static let tooManyWrongCodes = WallFailure(
        429, "Too many wrong codes. Please request a new one.")

    // MARK: The Micronaut server's dialect

    static let micronautInvalidEmail = WallFailure(400, "Invalid email")
    static let emailNotFound = WallFailure(400, "Email not found")
    static let unauthorized = WallFailure(401, "Unauthorized", .framework)
    static let passwordNotSet = WallFailure(400, "Password not set for this account")
    static let missingPassword = WallFailure(400, "Password is required")
}

extension Response {
    /// Micronaut's media type without a charset: JSON is always UTF-8 (RFC 8259, 8.1).
    static func plainJSON(_ json: JSON, status: Int = 200) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: .bytes(json.bytes))
    }
}

extension WallFailure {
    /// The checks that may have failed. Several share a message.
    var failedChecks: [RequestCheck] {
        switch (status, message) {
        case (415, _): [.body]
        case (409, _): [.emailAvailable]
        case (404, _), (_, "Email not found"): [.account]
        case (_, Self.tooManyCodes.message): [.rateLimit]
        case (_, Self.tooManyWrongCodes.message): [.codeAttempts]
        case (_, Self.unauthorized.message): .anyToken
        case (_, Self.passwordNotSet.message), (_, "Old password is incorrect"): [.password]
        case (_, "Invalid email or password"): [.account, .password, .emailVerified]
        case (_, "Authentication failed"): [.account, .fields]
        case (_, "Password already set for this account"), (_, "Password change failed"): [.state]
        case (401, _): [.codeValidity, .code]
        case (400, let text) where text.contains("ode has expired"),
            (400, let text) where text.hasPrefix("Invalid or expired"):
            [.codeValidity, .code]
        case (400, "Invalid JSON: the body cannot be read"), (400, "Invalid JSON: not an object"):
            [.body]
        default: [.fields]
        }
    }
}
