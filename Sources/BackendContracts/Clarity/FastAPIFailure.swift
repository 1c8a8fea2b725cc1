import Backend
import Web

/// A failure response of Clarity's FastAPI servers: `{"detail": …}`.
struct FastAPIFailure: ContractFailure { let row: FailureRow }

extension FastAPIFailure {
    /// The format of the backend beside Firebase: an error code and its description.
    init(_ status: Int, error: String, _ description: String) {
        self.init(
            status, description,
            details: ["error": .string(error), "error_description": .string(description)])
    }

    /// The format of the Cognito backend: a problem (RFC 9457) inside `detail`.
    private init(
        _ status: Int, type: String, title: String, _ text: String, _ failedChecks: [RequestCheck]
    ) {
        self.init(
            status, text, failedChecks,
            details: [
                "type": .string(type), "title": .string(title), "detail": .string(text),
                "status": .int(Int64(status)),
                "instance": "https://api.clarity.health/requests/\(type)",
            ])
    }

    /// Errors of single fields. The values are not repeated.
    init(fieldErrors: [FastAPIBody.FieldError]) {
        self.init(422, "", details: .array(fieldErrors.map(\.json)))
    }

    var response: Response { response(["detail": details ?? .string(message)]) }

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
    static let updatedUserNotFound = Self(
        404, type: "user_not_found", title: "User Not Found", "No user could be updated.",
        [.emailAvailable])
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
        self.init(problem.status, detail, headers: problem.headers)
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

/// A JSON body as FastAPI validates it: every missing or invalid field is reported at once.
struct FastAPIBody: Sendable {
    private let body: JSONBody
    private(set) var errors: [FieldError] = []

    /// An invalid field.
    struct FieldError: Sendable, Equatable {
        let type: String
        /// Nil if the body itself is invalid.
        let field: String?
        let message: String

        package init(_ type: String, _ field: String?, _ message: String) {
            self.type = type
            self.field = field
            self.message = message
        }

        init(_ error: BodyError) {
            switch error {
            case .unsupportedMediaType, .notAnObject:
                self.init(
                    "model_attributes_type", nil,
                    "Input should be a valid dictionary or object to extract fields from")
            case .malformed: self.init("json_invalid", nil, "JSON decode error")
            case .notAString(let name):
                self.init("string_type", name, "Input should be a valid string")
            case .tooLong(let name, let limit):
                self.init("string_too_long", name, "String should have at most \(limit) characters")
            case .containsNUL(let name):
                self.init("value_error", name, "Value error, it holds a NUL")
            }
        }

        var json: JSON {
            let location: [JSON] = ["body"] + (field.map { [.string($0)] } ?? [])
            return ["type": .string(type), "loc": .array(location), "msg": .string(message)]
        }
    }

    init(_ request: Request) throws(BodyError) { body = try JSONBody(request) }

    /// The text of `name`. A missing required field adds an error.
    mutating func text(
        _ name: String, limit: Int = JSONBody.shortTextLimit, isRequired: Bool = true
    ) -> String {
        do {
            if let text = try body.text(name, limit: limit) { return text }
            if isRequired { addError("missing", name, "Field required") }
        } catch { errors.append(FieldError(error)) }
        return ""
    }

    static let invalidEmail = FieldError(
        "value_error", "email", "value is not a valid email address")

    /// The address in `email`. An invalid address adds an error.
    mutating func emailAddress() -> EmailAddress? {
        let errorCount = errors.count
        let text = text("email", limit: JSONBody.emailLimit)
        let address = EmailAddress(text)
        if address == nil, errors.count == errorCount { errors.append(Self.invalidEmail) }
        return address
    }

    /// A new password of at least eight characters. A shorter one adds an error.
    mutating func newPassword(_ name: String) -> String {
        let errorCount = errors.count
        let text = text(name, limit: JSONBody.passwordLimit)
        if text.unicodeScalars.count < 8, errors.count == errorCount {
            addError("string_too_short", name, "String should have at least 8 characters")
        }
        return text
    }

    /// A required first or last name.
    mutating func namePart(_ name: String) -> String {
        let text = text(name)
        if !ClarityProfile.fits(namePart: text) {
            errors.append(FieldError(.tooLong(name, limit: ClarityProfile.maxNamePartLength)))
        }
        return text
    }

    /// The optional display name.
    mutating func displayName() -> String? {
        let text = text("display_name", isRequired: false)
        if !ClarityProfile.fits(displayName: text) {
            errors.append(FieldError(.tooLong("display_name", limit: ClarityProfile.maxNameLength)))
        }
        return text.isEmpty ? nil : text
    }

    /// A required consent, which must be true.
    mutating func requireConsent(_ name: String) {
        switch body.json[name]?.scalarText {
        case "true", "True", "1": return
        case nil: addError("missing", name, "Field required")
        default: addError("value_error", name, "Value error, it must be accepted")
        }
    }

    private mutating func addError(_ type: String, _ field: String, _ message: String) {
        errors.append(FieldError(type, field, message))
    }

    /// Throws if there are errors.
    func check() throws(FastAPIFailure) {
        guard errors.isEmpty else { throw FastAPIFailure(fieldErrors: errors) }
    }
}
