import Backend
import Web

extension ClarityGoogleFailure {
    // MARK: E-mail and password

    static let missingEmail = ClarityGoogleFailure("MISSING_EMAIL")
    static let missingPassword = ClarityGoogleFailure("MISSING_PASSWORD")
    static let invalidEmail = ClarityGoogleFailure("INVALID_EMAIL")
    static let emailExists = ClarityGoogleFailure("EMAIL_EXISTS")
    static let weakPassword = ClarityGoogleFailure(
        "WEAK_PASSWORD", "Password should be at least 6 characters")
    static let passwordTooLong = ClarityGoogleFailure(
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
        "Missing password requirements: [Password may contain at most 511 bytes]")
    /// Replaces the two below it while addresses are private.
    static let invalidCredentials = ClarityGoogleFailure("INVALID_LOGIN_CREDENTIALS")
    static let emailNotFound = ClarityGoogleFailure("EMAIL_NOT_FOUND")
    static let invalidPassword = ClarityGoogleFailure("INVALID_PASSWORD")
    static let userDisabled = ClarityGoogleFailure("USER_DISABLED")
    static let tooManyAttempts = ClarityGoogleFailure(
        "TOO_MANY_ATTEMPTS_TRY_LATER",
        "Access to this account has been temporarily disabled due to many "
            + "failed login attempts. You can immediately restore it by "
            + "resetting your password or you can try again later.")

    static let displayNameTooLong = ClarityGoogleFailure(
        "INVALID_PROFILE_ATTRIBUTE", "Display name too long.")
    static let photoURLTooLong = ClarityGoogleFailure(
        "INVALID_PROFILE_ATTRIBUTE", "Photo URL too long.")

    // MARK: The project

    static let operationNotAllowed = ClarityGoogleFailure("OPERATION_NOT_ALLOWED")
    static let passwordLoginDisabled = ClarityGoogleFailure("PASSWORD_LOGIN_DISABLED")
    static let adminOnlyOperation = ClarityGoogleFailure("ADMIN_ONLY_OPERATION")
    static let insufficientPermission = ClarityGoogleFailure("INSUFFICIENT_PERMISSION")
    static let newEmailNotVerified = ClarityGoogleFailure(
        "OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")

    // MARK: Tokens

    static let missingIDToken = ClarityGoogleFailure("MISSING_ID_TOKEN")
    static let invalidIDToken = ClarityGoogleFailure("INVALID_ID_TOKEN")
    static let tokenExpired = ClarityGoogleFailure("TOKEN_EXPIRED")
    static let userNotFound = ClarityGoogleFailure("USER_NOT_FOUND")
    static let missingGrantType = ClarityGoogleFailure("MISSING_GRANT_TYPE")
    static let invalidGrantType = ClarityGoogleFailure("INVALID_GRANT_TYPE")
    static let missingRefreshToken = ClarityGoogleFailure("MISSING_REFRESH_TOKEN")
    static let invalidRefreshToken = ClarityGoogleFailure("INVALID_REFRESH_TOKEN")

    // MARK: Codes

    static let missingRequestType = ClarityGoogleFailure("MISSING_REQ_TYPE")
    static let unsupportedParameters = ClarityGoogleFailure(
        "INVALID_REQ_TYPE", "Unsupported request parameters.")
    static let missingCode = ClarityGoogleFailure("MISSING_OOB_CODE")
    static let invalidCode = ClarityGoogleFailure("INVALID_OOB_CODE")
    static let expiredCode = ClarityGoogleFailure("EXPIRED_OOB_CODE")
    static let tooManyMails = ClarityGoogleFailure("TOO_MANY_ATTEMPTS_TRY_LATER")
    static let tooManyResets = ClarityGoogleFailure("RESET_PASSWORD_EXCEED_LIMIT")
    static let missingIdentifier = ClarityGoogleFailure("MISSING_IDENTIFIER")
    static let invalidIdentifier = ClarityGoogleFailure("INVALID_IDENTIFIER")
    static let missingContinueURI = ClarityGoogleFailure("MISSING_CONTINUE_URI")
    static let invalidContinueURI = ClarityGoogleFailure("INVALID_CONTINUE_URI")
    static let relativeContinueURI = ClarityGoogleFailure(
        "INVALID_CONTINUE_URI", "((expected an absolute URI with valid scheme and host))")

    // MARK: API keys and general failures

    static let missingAPIKey = ClarityGoogleFailure(
        403, "The request is missing a valid API key.", reason: "forbidden",
        status: "PERMISSION_DENIED")
    static let invalidAPIKey = ClarityGoogleFailure(
        400, "API key not valid. Please pass a valid API key.", reason: "keyInvalid",
        status: "INVALID_ARGUMENT")
    static let notFound = ClarityGoogleFailure(
        404, "Not Found", reason: "notFound", status: "NOT_FOUND")
    static let internalError = ClarityGoogleFailure(
        500, "Internal error encountered.", reason: "backendError", status: "INTERNAL")

    static func malformedPayload(_ reason: String) -> ClarityGoogleFailure {
        ClarityGoogleFailure(
            400, "Invalid JSON payload received. \(reason)", reason: "parseError",
            status: "INVALID_ARGUMENT")
    }

    static var unauthenticated: ClarityGoogleFailure {
        var failure = ClarityGoogleFailure(
            401,
            "Request had invalid authentication credentials. Expected OAuth "
                + "2 access token, login cookie or other valid "
                + "authentication credential. See https://developers.google"
                + ".com/identity/sign-in/web/devconsole-project.", reason: "authError",
            status: "UNAUTHENTICATED")
        failure.nestedMessage = "Invalid Credentials"
        failure.location = "Authorization"
        return failure
    }

    static var busy: ClarityGoogleFailure {
        var failure = ClarityGoogleFailure(
            503, "The service is currently unavailable.", reason: "backendError",
            status: "UNAVAILABLE")
        failure.headers = ["Retry-After": "1"]
        return failure
    }
}
