import Web

extension ClarityFailure {
    // MARK: E-mail and password

    static let missingEmail = ClarityFailure("MISSING_EMAIL")
    static let missingPassword = ClarityFailure("MISSING_PASSWORD")
    static let invalidEmail = ClarityFailure("INVALID_EMAIL")
    static let emailExists = ClarityFailure("EMAIL_EXISTS")
    static let weakPassword = ClarityFailure(
        "WEAK_PASSWORD", "Password should be at least 6 characters")
    static let unfitPassword = ClarityFailure(
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
        "Missing password requirements: [Password may contain at most 511 bytes]")
    /// Instead of the two after it while addresses are private.
    static let invalidCredentials = ClarityFailure("INVALID_LOGIN_CREDENTIALS")
    static let emailNotFound = ClarityFailure("EMAIL_NOT_FOUND")
    static let invalidPassword = ClarityFailure("INVALID_PASSWORD")
    static let userDisabled = ClarityFailure("USER_DISABLED")
    static let tooManyAttempts = ClarityFailure(
        "TOO_MANY_ATTEMPTS_TRY_LATER",
        "Access to this account has been temporarily disabled due to many "
            + "failed login attempts. You can immediately restore it by "
            + "resetting your password or you can try again later.")

    static let longName = ClarityFailure("INVALID_PROFILE_ATTRIBUTE", "Display name too long.")
    static let longPhotoURL = ClarityFailure("INVALID_PROFILE_ATTRIBUTE", "Photo URL too long.")

    // MARK: The project

    static let signUpOff = ClarityFailure("OPERATION_NOT_ALLOWED")
    static let signInOff = ClarityFailure("PASSWORD_LOGIN_DISABLED")
    static let adminOnly = ClarityFailure("ADMIN_ONLY_OPERATION")
    static let insufficientPermission = ClarityFailure("INSUFFICIENT_PERMISSION")
    static let verifyFirst = ClarityFailure(
        "OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")

    // MARK: Tokens

    static let missingIDToken = ClarityFailure("MISSING_ID_TOKEN")
    static let invalidIDToken = ClarityFailure("INVALID_ID_TOKEN")
    static let tokenExpired = ClarityFailure("TOKEN_EXPIRED")
    static let userNotFound = ClarityFailure("USER_NOT_FOUND")
    static let missingGrantType = ClarityFailure("MISSING_GRANT_TYPE")
    static let invalidGrantType = ClarityFailure("INVALID_GRANT_TYPE")
    static let missingRefreshToken = ClarityFailure("MISSING_REFRESH_TOKEN")
    static let invalidRefreshToken = ClarityFailure("INVALID_REFRESH_TOKEN")

    // MARK: Codes

    static let missingRequestType = ClarityFailure("MISSING_REQ_TYPE")
    static let unsupportedParameters = ClarityFailure(
        "INVALID_REQ_TYPE", "Unsupported request parameters.")
    static let missingCode = ClarityFailure("MISSING_OOB_CODE")
    static let invalidCode = ClarityFailure("INVALID_OOB_CODE")
    static let expiredCode = ClarityFailure("EXPIRED_OOB_CODE")
    static let tooManyMails = ClarityFailure("TOO_MANY_ATTEMPTS_TRY_LATER")
    static let tooManyResets = ClarityFailure("RESET_PASSWORD_EXCEED_LIMIT")
    static let missingIdentifier = ClarityFailure("MISSING_IDENTIFIER")
    static let invalidIdentifier = ClarityFailure("INVALID_IDENTIFIER")
    static let missingContinueURI = ClarityFailure("MISSING_CONTINUE_URI")
    static let invalidContinueURI = ClarityFailure("INVALID_CONTINUE_URI")
    static let relativeContinueURI = ClarityFailure(
        "INVALID_CONTINUE_URI", "((expected an absolute URI with valid scheme and host))")

    // MARK: Around the methods

    static let missingKey = ClarityFailure(
        403, "The request is missing a valid API key.", reason: "forbidden",
        status: "PERMISSION_DENIED")
    static let invalidKey = ClarityFailure(
        400, "API key not valid. Please pass a valid API key.", reason: "keyInvalid",
        status: "INVALID_ARGUMENT")
    static let notFound = ClarityFailure(404, "Not Found", reason: "notFound", status: "NOT_FOUND")
    static let inside = ClarityFailure(
        500, "Internal error encountered.", reason: "backendError", status: "INTERNAL")

    static func malformed(_ why: String) -> ClarityFailure {
        ClarityFailure(
            400, "Invalid JSON payload received. \(why)", reason: "parseError",
            status: "INVALID_ARGUMENT")
    }

    static var unauthenticated: ClarityFailure {
        var failure = ClarityFailure(
            401,
            "Request had invalid authentication credentials. Expected OAuth "
                + "2 access token, login cookie or other valid "
                + "authentication credential. See https://developers.google"
                + ".com/identity/sign-in/web/devconsole-project.", reason: "authError",
            status: "UNAUTHENTICATED")
        failure.inner = "Invalid Credentials"
        failure.location = "Authorization"
        return failure
    }

    static var busy: ClarityFailure {
        var failure = ClarityFailure(
            503, "The service is currently unavailable.", reason: "backendError",
            status: "UNAVAILABLE")
        failure.headers = ["Retry-After": "1"]
        return failure
    }
}
