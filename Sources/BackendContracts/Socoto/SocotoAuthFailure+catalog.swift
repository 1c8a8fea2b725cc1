import Backend
import Web

/// The auth server's failures.
extension SocotoAuthFailure {
    static let tooManyRequests = SocotoAuthFailure(
        429, "over_request_rate_limit", "Request rate limit reached")

    // MARK: Accounts

    static let signupsDisabled = SocotoAuthFailure(
        422, "signup_disabled", "Signups not allowed for this instance")
    static let anonymousSignInsDisabled = SocotoAuthFailure(
        422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    static let phoneSignupsDisabled = SocotoAuthFailure(
        400, "phone_provider_disabled", "Phone signups are disabled")
    static let phoneLoginsDisabled = SocotoAuthFailure(
        422, "phone_provider_disabled", "Phone logins are disabled")
    static let userExists = SocotoAuthFailure(422, "user_already_exists", "User already registered")
    static let emailExists = SocotoAuthFailure(
        422, "email_exists", "A user with this email address has already been registered")
    static let invalidCredentials = SocotoAuthFailure(
        400, "invalid_credentials", "Invalid login credentials")
    static let unsupportedGrantType = SocotoAuthFailure(
        400, "invalid_credentials", "unsupported_grant_type")
    static let emailNotConfirmed = SocotoAuthFailure(
        400, "email_not_confirmed", "Email not confirmed")
    static let userBanned = SocotoAuthFailure(400, "user_banned", "User is banned")
    static let samePassword = SocotoAuthFailure(
        422, "same_password", "New password should be different from the old password.")
    /// Of two concurrent password changes the first wins.
    static let concurrentPasswordChange = SocotoAuthFailure(
        409, "conflict", "The password was changed by another request at the same time.")
    static let notAdmin = SocotoAuthFailure(
        403, "not_admin", "Updating app_metadata requires admin privileges")

    // MARK: Bearer tokens

    static let noAuthorization = SocotoAuthFailure(
        401, "no_authorization", "This endpoint requires a valid Bearer token")
    static let missingSubject = SocotoAuthFailure(
        403, "bad_jwt", "invalid claim: missing sub claim")
    static let userNotFound = SocotoAuthFailure(
        403, "user_not_found", "User from sub claim in JWT does not exist")
    static let sessionNotFound = SocotoAuthFailure(
        403, "session_not_found", "Session from session_id claim in JWT does not exist")
    static let bearerUserBanned = SocotoAuthFailure(403, "user_banned", "User is banned")

    /// `reason` is the message of the real server's library.
    static func invalidJWT(_ reason: String) -> SocotoAuthFailure {
        SocotoAuthFailure(
            403, "bad_jwt", "invalid JWT: unable to parse or verify signature, " + reason)
    }

    // MARK: Refresh tokens

    static let malformedRefreshToken = invalid("Refresh token is not valid")
    static let unknownRefreshToken = SocotoAuthFailure(
        400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
    static let usedRefreshToken = SocotoAuthFailure(
        400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    static let refreshUserBanned = SocotoAuthFailure(
        400, "user_banned", "Invalid Refresh Token: User Banned")

    // MARK: Mailed links and codes

    static let codeExpired = SocotoAuthFailure(
        403, "otp_expired", "Token has expired or is invalid")
    static let linkExpired = SocotoAuthFailure(
        403, "otp_expired", "Email link is invalid or has expired")

    static func mailRateLimited(seconds: Int64) -> SocotoAuthFailure {
        SocotoAuthFailure(
            429, "over_email_send_rate_limit",
            """
            For security purposes, you can only request this after \
            \(seconds) seconds.
            """)
    }

    // MARK: PKCE flows

    static let incompleteCodeChallenge = invalid(
        "PKCE flow requires code_challenge_method and code_challenge")
    static let flowNotFound = SocotoAuthFailure(
        404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    static let flowExpired = SocotoAuthFailure(
        422, "flow_state_expired", "invalid flow state, flow state has expired")
    static let wrongVerifier = SocotoAuthFailure(
        400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
}
