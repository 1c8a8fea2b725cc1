import Backend
import Web

/// The Cognito backend's failures.
extension ClarityFastAPIFailure {
    static let selfSignUpDisabled = ClarityFastAPIFailure(
        403, type: "self_signup_disabled", title: "Self-Signup Disabled",
        "Self-registration is currently disabled.")
    static let invalidCredentials = ClarityFastAPIFailure(
        401, type: "invalid_credentials", title: "Invalid Credentials", "Invalid email or password."
    )
    static let emailNotVerified = ClarityFastAPIFailure(
        403, type: "email_not_verified", title: "Email Not Verified",
        "Please verify your email before logging in.")
    static let accountLocked = ClarityFastAPIFailure(
        429, type: "account_locked", title: "Account Locked",
        "Too many failed attempts. Please try again in 15 minutes.")
    static let missingRefreshToken = ClarityFastAPIFailure(
        422, type: "missing_refresh_token", title: "Missing Refresh Token",
        "Send the refresh token as bearer or in the body.")
    static let refreshError = ClarityFastAPIFailure(
        500, type: "refresh_error", title: "Refresh Error", "Failed to refresh token.")
    static let invalidToken = ClarityFastAPIFailure(
        401, type: "invalid_token", title: "Invalid Token", "The token is not valid.")
    static let invalidCode = ClarityFastAPIFailure(
        400, type: "invalid_code", title: "Invalid Code",
        "The verification code is invalid or expired.")
    static let userNotFound = ClarityFastAPIFailure(
        404, type: "user_not_found", title: "User Not Found", "No user has this email.")
    static let invalidEmail = ClarityFastAPIFailure(fieldErrors: [ClarityFastAPIBody.invalidEmail])

    /// In slowapi's wording.
    static func rateLimited(_ limit: RateLimit) -> ClarityFastAPIFailure {
        var problem = ClarityFastAPIFailure(
            429,
            .string(
                "Rate limit exceeded: \(limit.count) per "
                    + "\(limit.window.components.seconds) seconds"))
        problem.headers = ["Retry-After": String(limit.window.components.seconds)]
        return problem
    }
}

extension ClarityFastAPIBody {
    static let invalidEmail = FieldError(
        "value_error", "email", "value is not a valid email address")

    /// The address in `email`. An invalid address adds an error.
    mutating func emailAddress() -> EmailAddress? {
        let errorCount = errors.count
        let text = text("email", limit: JSONBody.emailLimit)
        let address = EmailAddress(text)
        if address == nil, errors.count == errorCount {
            addError("value_error", "email", Self.invalidEmail.message)
        }
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
}
