import Backend
import Web

/// Failures of second factors, with the real server's statuses, codes and texts.
extension GoTrueFailure {
    static let anonymousNotAllowed = Self(
        403, "no_authorization", "Anonymous user not allowed to perform these actions",
        [.permission])
    static let unknownFactorType = invalid("factor_type needs to be totp, phone, or webauthn")
    static let enrollmentOfTOTPDisabled = Self(
        422, "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP", [.featureEnabled])
    static let enrollmentOfPhoneDisabled = Self(
        422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone", [.featureEnabled])
    static let enrollmentOfWebAuthnDisabled = Self(
        422, "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn",
        [.featureEnabled])
    static let verificationOfTOTPDisabled = Self(
        422, "mfa_totp_verify_not_enabled", "MFA verification is disabled for TOTP",
        [.featureEnabled])
    static let verificationOfPhoneDisabled = Self(
        422, "mfa_phone_verify_not_enabled", "MFA verification is disabled for Phone",
        [.featureEnabled])
    static let missingPhoneOfFactor = invalid("Phone number required to enroll Phone factor")
    static let verifiedPhoneFactorExists = Self(
        422, "mfa_verified_factor_exists",
        "A verified phone factor already exists, unenroll the existing factor to continue",
        [.state])
    static let tooManyFactors = Self(
        422, "too_many_enrolled_mfa_factors",
        "Maximum number of verified factors reached, unenroll to continue", [.state])
    static let secondFactorNeededToEnroll = Self(
        403, "insufficient_aal", "AAL2 required to enroll a new factor", [.permission])
    static let secondFactorNeededToUnenroll = Self(
        422, "insufficient_aal", "AAL2 required to unenroll verified factor", [.permission])
    static let secondFactorNeededToUpdate = Self(
        401, "insufficient_aal",
        "AAL2 session is required to update email or password when MFA is enabled.", [.permission])
    static let malformedFactorID = Self(
        404, "validation_failed", "factor_id must be an UUID")
    static let factorNotFound = Self(404, "mfa_factor_not_found", "Factor not found", [.state])
    static let factorChallengeNotFound = Self(
        422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found",
        [.code])
    /// Also the response to a challenge that was used before.
    static let factorAddressMismatch = Self(
        422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.", [.code])
    static let missingFactorCode = invalid("Code needs to be non-empty")
    static let wrongTOTPCode = Self(
        422, "mfa_verification_failed", "Invalid TOTP code entered", [.code])
    static let wrongPhoneFactorCode = Self(
        422, "mfa_verification_failed", "Invalid MFA Phone code entered", [.code])

    static func factorNameConflict(_ name: String) -> Self {
        Self(
            422, "mfa_factor_name_conflict",
            "A factor with the friendly name \(JSON.string(name).description) for this user already exists",
            [.state])
    }

    static func factorChallengeExpired(_ id: String) -> Self {
        Self(
            422, "mfa_challenge_expired",
            "MFA challenge \(id) has expired, verify against another challenge or create a new "
                + "challenge.", [.codeValidity])
    }
}
