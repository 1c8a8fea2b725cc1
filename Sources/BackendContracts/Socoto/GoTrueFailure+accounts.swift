import Backend

/// Rows of the table of errors about numbers, changes of an account, and administration.
extension GoTrueFailure {
    static let bodyTooLarge = Self(
        413, "request_entity_too_large", "Request body too large (max 1048576 bytes)", [.body])

    // MARK: Addresses

    static let emailSignupsDisabled = Self(
        400, "email_provider_disabled", "Email signups are disabled", [.featureEnabled])
    static let emailLoginsDisabled = Self(
        422, "email_provider_disabled", "Email logins are disabled", [.featureEnabled])
    /// The failure of requests for a recovery or a repeated mail.
    static let emailMailsDisabled = Self(
        400, "email_provider_disabled", "Email logins are disabled", [.featureEnabled])

    // MARK: Phone numbers

    static let invalidPhoneNumber = invalid("Invalid phone number format (E.164 required)")
    static let invalidChannel = invalid(
        "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported "
            + "if Twilio or Twilio Verify is used as the provider.")
    static let unsupportedPhoneProvider = Self(
        400, "phone_provider_disabled", "Unsupported phone provider", [.featureEnabled])
    static let phoneResendsDisabled = Self(
        400, "phone_provider_disabled", "Phone logins are disabled", [.featureEnabled])
    static let phoneNotConfirmed = Self(
        400, "phone_not_confirmed", "Phone not confirmed", [.emailVerified])
    static let phoneExists = Self(
        422, "phone_exists", "A user with this phone number has already been registered",
        [.emailAvailable])

    // MARK: Messages

    static let otpDisabled = Self(
        422, "otp_disabled", "Signups not allowed for otp", [.featureEnabled])
    static let mailLimitReached = Self(
        429, "over_email_send_rate_limit", "email rate limit exceeded", [.rateLimit])
    static let textMessageLimitReached = Self(
        429, "over_sms_send_rate_limit", "SMS rate limit exceeded", [.rateLimit])

    static func textMessageRateLimited(seconds: Int64) -> Self {
        Self(
            429, "over_sms_send_rate_limit", mailRateLimited(seconds: seconds).message,
            [.rateLimit])
    }

    // MARK: Changes of the own account

    static let anonymousPassword = Self(
        422, "validation_failed",
        "Updating password of an anonymous user without an email or phone is not allowed")
    static let reauthenticationNeeded = Self(
        400, "reauthentication_needed", "Password update requires reauthentication", [.state])
    static let invalidNonce = Self(
        422, "reauthentication_not_valid", "Nonce has expired or is invalid", .anyCode)
    static let currentPasswordRequired = Self(
        400, "current_password_required", "Current password required when setting new password.")
    static let wrongCurrentPassword = Self(
        400, "current_password_invalid", "Current password required when setting new password.",
        [.password])
    static let nothingToReauthenticate = invalid(
        "Reauthentication requires the user to have an email or a phone number")
    static let unconfirmedEmail = Self(
        422, "email_not_confirmed", "Please verify your email first.", [.emailVerified])
    static let unconfirmedPhone = Self(
        422, "phone_not_confirmed", "Please verify your phone first.", [.emailVerified])
    static let wrongAudience = invalid("Token audience doesn't match request audience")

    // MARK: Sessions

    static let expiredSession = Self(
        400, "session_expired", "Invalid Refresh Token: Session Expired", [.session])
    static let inactiveSession = Self(
        400, "session_expired", "Invalid Refresh Token: Session Expired (Inactivity)", [.session])
    static let replacedSession = Self(
        400, "session_expired",
        "Invalid Refresh Token: Session Expired (Revoked by Newer Login)", [.session])

    // MARK: Administration

    static let adminOnly = Self(403, "not_admin", "User not allowed", [.permission])
    static let malformedUserID = Self(404, "validation_failed", "user_id must be an UUID")
    static let unknownUser = Self(404, "user_not_found", "User not found", [.account])
    static let unknownEmail = Self(
        404, "user_not_found", "User with this email not found", [.account])

    // MARK: Features that the embedded server does not have

    static let oauthServerDisabled = Self(
        404, "feature_disabled", "OAuth server is disabled", [.featureEnabled])
    static let customProvidersDisabled = Self(
        404, "feature_disabled", "Custom OAuth providers are disabled", [.featureEnabled])
    static let passkeysDisabled = Self(
        404, "passkey_disabled", "Passkeys are disabled", [.featureEnabled])
    static let samlDisabled = Self(
        404, "saml_provider_disabled", "SAML 2.0 is disabled", [.featureEnabled])
    static let web3Disabled = Self(
        422, "web3_provider_disabled", "Web3 provider is disabled", [.featureEnabled])
}
