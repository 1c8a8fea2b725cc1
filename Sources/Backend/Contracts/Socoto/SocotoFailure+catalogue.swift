import Web

/// Every failure that is told the same each time.
extension SocotoFailure {
    static let tooMany = SocotoFailure(429, "over_request_rate_limit", "Request rate limit reached")

    // MARK: Accounts

    static let signupsOff = SocotoFailure(
        422, "signup_disabled", "Signups not allowed for this instance")
    static let anonymousOff = SocotoFailure(
        422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    static let phoneSignupsOff = SocotoFailure(
        400, "phone_provider_disabled", "Phone signups are disabled")
    static let phoneLoginsOff = SocotoFailure(
        422, "phone_provider_disabled", "Phone logins are disabled")
    static let userExists = SocotoFailure(422, "user_already_exists", "User already registered")
    static let emailExists = SocotoFailure(
        422, "email_exists", "A user with this email address has already been registered")
    static let wrongCredentials = SocotoFailure(
        400, "invalid_credentials", "Invalid login credentials")
    static let unknownGrant = SocotoFailure(400, "invalid_credentials", "unsupported_grant_type")
    static let notConfirmed = SocotoFailure(400, "email_not_confirmed", "Email not confirmed")
    static let banned = SocotoFailure(400, "user_banned", "User is banned")
    static let samePassword = SocotoFailure(
        422, "same_password", "New password should be different from the old password.")
    /// Two new passwords at once: the first counts.
    static let passwordRace = SocotoFailure(
        409, "conflict", "The password was changed by another request at the same time.")
    static let notAdmin = SocotoFailure(
        403, "not_admin", "Updating app_metadata requires admin privileges")

    // MARK: Bearer tokens

    static let noAuthorization = SocotoFailure(
        401, "no_authorization", "This endpoint requires a valid Bearer token")
    static let noSubject = SocotoFailure(403, "bad_jwt", "invalid claim: missing sub claim")
    static let userGone = SocotoFailure(
        403, "user_not_found", "User from sub claim in JWT does not exist")
    static let sessionGone = SocotoFailure(
        403, "session_not_found", "Session from session_id claim in JWT does not exist")
    static let bannedBearer = SocotoFailure(403, "user_banned", "User is banned")

    /// `reason` is what the real server's library says.
    static func badToken(_ reason: String) -> SocotoFailure {
        SocotoFailure(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, " + reason)
    }

    // MARK: Refresh tokens

    static let malformedRefreshToken = invalid("Refresh token is not valid")
    static let unknownRefreshToken = SocotoFailure(
        400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
    static let usedRefreshToken = SocotoFailure(
        400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    static let bannedRefresh = SocotoFailure(
        400, "user_banned", "Invalid Refresh Token: User Banned")

    // MARK: Mailed links and codes

    static let codeExpired = SocotoFailure(403, "otp_expired", "Token has expired or is invalid")
    static let linkExpired = SocotoFailure(
        403, "otp_expired", "Email link is invalid or has expired")

    static func tooSoon(seconds: Int64) -> SocotoFailure {
        SocotoFailure(
            429, "over_email_send_rate_limit",
            """
            For security purposes, you can only request this after \
            \(seconds) seconds.
            """)
    }

    // MARK: Flows with a code challenge

    static let halfChallenge = invalid(
        "PKCE flow requires code_challenge_method and code_challenge")
    static let unknownFlow = SocotoFailure(
        404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    static let flowExpired = SocotoFailure(
        422, "flow_state_expired", "invalid flow state, flow state has expired")
    static let wrongVerifier = SocotoFailure(
        400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
}
