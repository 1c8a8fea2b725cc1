import Backend
import Web

/// A failure response of Google's services: `{"error":{"code","message","errors":[…],"status"?}}`.
struct GoogleFailure: ContractFailure {
    /// Its code is the `reason`. Its details are Google's name of the status, for failures outside
    /// a method itself.
    let row: FailureRow
}

extension GoogleFailure {
    /// A failure of a method itself. Clients know `errorCode`, `detail` is for the developer.
    init(_ errorCode: String, _ detail: String? = nil, checks: [RequestCheck] = [.fields]) {
        self.init(400, "invalid", detail.map { "\(errorCode) : \($0)" } ?? errorCode, checks)
    }

    /// Google's services take the ID token in the body, the other servers in a header.
    var failedChecks: [RequestCheck] {
        let possibleChecks = row.failedChecks
        guard possibleChecks.contains(.authorizationHeader) else { return possibleChecks }
        let isInHeader = CheckTrace.isPlanned(.authorizationHeader)
        if self == .missingIDToken { return isInHeader ? [.authorizationHeader] : [.fields] }
        return isInHeader ? possibleChecks : possibleChecks.filter { $0 != .authorizationHeader }
    }

    var response: Response {
        let isUnauthenticated = self == .unauthenticated
        // Google's emulator names no domain where it has no method.
        let isUnknown = status == 404 || status == 501
        return response([
            "error": .omittingNil([
                "code": .int(Int64(status)), "message": .string(message),
                "errors": [
                    .omittingNil([
                        "message": .string(isUnauthenticated ? "Invalid Credentials" : message),
                        "reason": .string(code), "domain": isUnknown ? nil : "global",
                        "location": isUnauthenticated ? "Authorization" : nil,
                        "locationType": isUnauthenticated ? "header" : nil,
                    ])
                ], "status": details,
            ])
        ])
    }

    // MARK: E-mail and password

    static let missingEmail = Self("MISSING_EMAIL")
    static let missingPassword = Self("MISSING_PASSWORD")
    static let invalidEmail = Self("INVALID_EMAIL")
    static let emailExists = Self("EMAIL_EXISTS", checks: [.emailAvailable])
    static let weakPassword = Self("WEAK_PASSWORD", "Password should be at least 6 characters")
    static let passwordTooLong = Self(
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
        "Missing password requirements: [Password may contain at most 511 bytes]")
    /// Replaces the two below it while addresses are private.
    static let invalidCredentials = Self("INVALID_LOGIN_CREDENTIALS", checks: .credentials)
    static let emailNotFound = Self("EMAIL_NOT_FOUND", checks: [.account])
    static let invalidPassword = Self("INVALID_PASSWORD", checks: .credentials)
    static let userDisabled = Self("USER_DISABLED", checks: [.accountActive])
    static let tooManyAttempts = Self(
        "TOO_MANY_ATTEMPTS_TRY_LATER",
        "Access to this account has been temporarily disabled due to many failed login attempts. "
            + "You can immediately restore it by resetting your password or you can try again later.",
        checks: [.rateLimit])

    static let displayNameTooLong = Self("INVALID_PROFILE_ATTRIBUTE", "Display name too long.")
    static let photoURLTooLong = Self("INVALID_PROFILE_ATTRIBUTE", "Photo URL too long.")

    // MARK: The project

    static let operationNotAllowed = Self("OPERATION_NOT_ALLOWED", checks: [.featureEnabled])
    static let passwordLoginDisabled = Self("PASSWORD_LOGIN_DISABLED", checks: [.featureEnabled])
    static let adminOnlyOperation = Self("ADMIN_ONLY_OPERATION", checks: [.featureEnabled])
    static let insufficientPermission = Self("INSUFFICIENT_PERMISSION", checks: [.permission])
    static let newEmailNotVerified = Self(
        "OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.",
        checks: [.featureEnabled])

    // MARK: Tokens

    static let missingIDToken = Self("MISSING_ID_TOKEN", checks: [.authorizationHeader, .fields])
    static let invalidIDToken = Self("INVALID_ID_TOKEN", checks: .anyToken)
    static let tokenExpired = Self("TOKEN_EXPIRED", checks: [.expiry, .session, .refreshTokenAge])
    static let userNotFound = Self("USER_NOT_FOUND", checks: [.refreshToken, .tokenAccount])
    static let missingGrantType = Self("MISSING_GRANT_TYPE")
    static let invalidGrantType = Self("INVALID_GRANT_TYPE")
    static let missingRefreshToken = Self("MISSING_REFRESH_TOKEN")
    static let invalidRefreshToken = Self("INVALID_REFRESH_TOKEN", checks: .anyRefreshToken)

    // MARK: Codes

    static let missingRequestType = Self("MISSING_REQ_TYPE")
    static let unsupportedParameters = Self("INVALID_REQ_TYPE", "Unsupported request parameters.")
    static let missingCode = Self("MISSING_OOB_CODE")
    static let invalidCode = Self("INVALID_OOB_CODE", checks: [.codeValidity, .code])
    static let expiredCode = Self("EXPIRED_OOB_CODE", checks: [.codeValidity, .code])
    static let tooManyMails = Self("TOO_MANY_ATTEMPTS_TRY_LATER", checks: [.rateLimit])
    static let tooManyResets = Self("RESET_PASSWORD_EXCEED_LIMIT", checks: [.rateLimit])
    static let missingIdentifier = Self("MISSING_IDENTIFIER")
    static let invalidIdentifier = Self("INVALID_IDENTIFIER")
    static let missingContinueURI = Self("MISSING_CONTINUE_URI")
    static let invalidContinueURI = Self("INVALID_CONTINUE_URI")
    static let relativeContinueURI = Self(
        "INVALID_CONTINUE_URI", "((expected an absolute URI with valid scheme and host))")

    // MARK: API keys and other errors

    static let missingAPIKey = Self(
        403, "forbidden", "The request is missing a valid API key.", [.apiKey],
        details: "PERMISSION_DENIED")
    static let invalidAPIKey = Self(
        400, "keyInvalid", "API key not valid. Please pass a valid API key.", [.apiKey],
        details: "INVALID_ARGUMENT")
    static let unauthenticated = Self(
        401, "authError",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
            + "cookie or other valid authentication credential. See "
            + "https://developers.google.com/identity/sign-in/web/devconsole-project.",
        [.permission], details: "UNAUTHENTICATED")
    static let notFound = Self(404, "notFound", "Not Found", [.route], details: "NOT_FOUND")
    static let busy = Self(
        503, "backendError", "The service is currently unavailable.", details: "UNAVAILABLE",
        headers: .retryAfterOneSecond)

    static func unexpected(_ request: Request) -> Self {
        Self(500, "backendError", "Internal error encountered.", details: "INTERNAL")
    }

    /// `code` is the reason: `invalid` for JSON with a value of a wrong type.
    static func malformedPayload(_ reason: String, code: String = "parseError") -> Self {
        Self(
            400, code, "Invalid JSON payload received. \(reason)", [.body],
            details: "INVALID_ARGUMENT")
    }

    init(_ error: BodyError, to request: Request) {
        let reason =
            switch error {
            case .unsupportedMediaType, .malformed: "Syntax error."
            case .notAnObject: "Root element must be a message."
            case .notAString(let name): "/\(name) must be string"
            case .tooLong(let name, let limit): "/\(name) must have at most \(limit) bytes"
            case .containsNUL(let name): "/\(name) must not hold NUL"
            }
        let isSyntaxError = error == .malformed || error == .unsupportedMediaType
        self = .malformedPayload(reason, code: isSyntaxError ? "parseError" : "invalid")
    }

    /// Google has no 405.
    init(_ problem: Problem, to request: Request) {
        switch problem.status {
        case 404, 405: self = .notFound
        case 400, 415: self = .malformedPayload(problem.detail)
        default:
            self.init(problem.status, "invalid", problem.detail, headers: problem.headers)
        }
    }
}
