import Backend
import Web

/// Failures of administrators' methods and of sign-in without a password.
extension GoogleFailure {
    // MARK: Administrators

    static let projectNotPermitted = Self(
        "INSUFFICIENT_PERMISSION",
        "Only authenticated requests can specify target_project_id.", checks: [.permission])
    static let unexpectedUserID = Self("UNEXPECTED_PARAMETER", "User ID")
    static let missingLocalID = Self("MISSING_LOCAL_ID")
    static let invalidLocalID = Self("INVALID_LOCAL_ID")
    static let duplicateLocalID = Self("DUPLICATE_LOCAL_ID", checks: [.state])
    static let tooManyLocalIDs = Self("LOCAL_ID_LIST_EXCEEDS_LIMIT")
    static let invalidClaims = Self("INVALID_CLAIMS")
    static let claimsTooLarge = Self("CLAIMS_TOO_LARGE")
    static let missingProviderID = Self("MISSING_PROVIDER_ID")
    static let missingRawID = Self("MISSING_RAW_ID")

    // MARK: Phone numbers

    static let invalidPhoneNumber = Self("INVALID_PHONE_NUMBER", "Invalid format.")
    static let phoneNumberExists = Self("PHONE_NUMBER_EXISTS", checks: [.state])
    static let missingPhoneNumber = Self("MISSING_PHONE_NUMBER")
    static let missingSessionInfo = Self("MISSING_SESSION_INFO")
    static let missingPhoneCode = Self("MISSING_CODE")
    static let invalidSessionInfo = Self("INVALID_SESSION_INFO", checks: [.codeValidity, .code])
    static let sessionExpired = Self("SESSION_EXPIRED", checks: [.codeValidity])
    static let wrongCode = Self("INVALID_CODE", checks: [.code])
    static let tooManyCodeAttempts = Self("TOO_MANY_ATTEMPTS_TRY_LATER", checks: [.codeAttempts])
    static let invalidTemporaryProof = Self("INVALID_TEMPORARY_PROOF", checks: [.code])
    static let phoneOfSecondFactorUser = Self(
        "UNSUPPORTED_FIRST_FACTOR",
        "A phone number cannot be set as a first factor on an SMS based MFA user.",
        checks: [.state])

    // MARK: Links, custom tokens and providers

    static let missingNewEmail = Self("MISSING_NEW_EMAIL")
    static let otherEmailOfLink = Self(
        "INVALID_EMAIL", "The email provided does not match the sign-in email address.")
    static let missingCustomToken = Self("MISSING_CUSTOM_TOKEN")
    static let identityAlreadyLinked = Self("FEDERATED_USER_ID_ALREADY_LINKED", checks: [.state])
    static let invalidProviderID = Self("INVALID_PROVIDER_ID")
    static let providerPageUnsupported = notImplemented("Sign-in with IDP is not yet supported.")

    static func invalidCustomToken(_ detail: String) -> Self {
        Self("INVALID_CUSTOM_TOKEN", detail, checks: [.jwt, .audience])
    }

    static func invalidIdPResponse(_ detail: String) -> Self {
        Self("INVALID_IDP_RESPONSE", detail)
    }

    // MARK: Second factors

    static let secondFactorsDisabled = Self(
        "OPERATION_NOT_ALLOWED", "SMS based MFA not enabled.", checks: [.featureEnabled])
    static let unsupportedFirstFactor = Self(
        "UNSUPPORTED_FIRST_FACTOR", "MFA is not available for the given first factor.",
        checks: [.state])
    static let unverifiedEmail = Self(
        "UNVERIFIED_EMAIL", "Need to verify email first before enrolling second factors.",
        checks: [.emailVerified])
    static let secondFactorExists = Self(
        "SECOND_FACTOR_EXISTS",
        "Phone number already enrolled as second factor for this account.", checks: [.state])
    static let tooManyFactors = Self("SECOND_FACTOR_LIMIT_EXCEEDED", checks: [.state])
    static let factorNotFound = Self("MFA_ENROLLMENT_NOT_FOUND", checks: [.state])
    static let missingPendingCredential = Self(
        "MISSING_MFA_PENDING_CREDENTIAL", "Request does not have MFA pending credential.")
    static let missingCredential = Self(
        "MISSING_CREDENTIAL", "Please set MFA Pending Credential.")
    static let invalidPendingCredential = Self(
        "INVALID_MFA_PENDING_CREDENTIAL", checks: [.code])
    static let missingEnrollmentID = Self(
        "MISSING_MFA_ENROLLMENT_ID", "No second factor identifier is provided.")
    static let invalidFactorPhone = Self("INVALID_MFA_PHONE_NUMBER", "Invalid format.")
    static let missingFactorID = Self(
        "INVALID_MFA_ENROLLMENT_ID", "mfaEnrollmentId must be defined.")
    static let duplicateFactorID = Self("DUPLICATE_MFA_ENROLLMENT_ID", checks: [.state])

    static func invalidArgument(_ detail: String) -> Self { Self("INVALID_ARGUMENT", detail) }

    // MARK: What is not there

    static let tenantsUnsupported = notImplemented(
        "Tenants are not implemented in the Auth Emulator.")

    static func notImplemented(_ text: String) -> Self {
        Self(501, "unimplemented", text, [.featureEnabled], details: "NOT_IMPLEMENTED")
    }
}
