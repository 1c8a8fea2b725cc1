import Backend
import Web

/// Failures of sign-ins at providers and of identities, with the real server's statuses, codes and
/// texts.
extension GoTrueFailure {
    static let missingState = Self(
        400, "bad_oauth_callback", "OAuth state parameter missing", [.fields])
    static let malformedState = Self(
        400, "bad_oauth_state", "OAuth state parameter is invalid", [.fields])
    static let unknownState = Self(
        400, "bad_oauth_state", "OAuth state not found or expired", [.code])
    static let expiredState = Self(
        400, "bad_oauth_state", "OAuth state has expired", [.codeValidity])
    static let usedState = Self(
        400, "flow_state_already_used", "State has already been used", [.codeValidity])
    static let missingProviderCode = Self(
        400, "bad_oauth_callback",
        "OAuth callback with missing authorization code missing", [.fields])
    static let missingProviderEmail = Self(
        500, "unexpected_failure", "Error getting user email from external provider", [.fields])
    static let severalLinkableAccounts = Self(
        500, "unexpected_failure",
        "Multiple accounts with the same email address in the same linking domain detected: "
            + "default", [.state])
    static let providerUserBanned = Self(
        403, "user_banned", "User is banned", [.accountActive])
    static let linkingUserNotFound = Self(
        422, "user_not_found", "Linking target user not found", [.account])
    static let identityAlreadyLinked = Self(
        422, "identity_already_exists", "Identity is already linked", [.state])
    static let identityOfAnotherUser = Self(
        422, "identity_already_exists", "Identity is already linked to another user", [.state])
    static let identityEmailTaken = Self(
        400, "email_exists", "A user with this email address has already been registered",
        [.emailAvailable])
    static let manualLinkingDisabled = Self(
        404, "manual_linking_disabled", "Manual linking is disabled", [.featureEnabled])
    static let malformedIdentityID = Self(
        404, "validation_failed", "identity_id must be an UUID")
    static let onlyIdentity = Self(
        422, "single_identity_not_deletable",
        "User must have at least 1 identity after unlinking", [.state])
    static let identityNotFound = Self(
        422, "identity_not_found", "Identity doesn't exist", [.state])
    static let identityEmailConflict = Self(
        422, "email_conflict_identity_not_deletable",
        "Unable to unlink identity due to email conflict", [.emailAvailable])

    static func providerCodeRejected(_ code: String) -> Self {
        Self(
            500, "unexpected_failure", "Unable to exchange external code: \(code.prefix(4))",
            [.code])
    }

    /// The address is not verified. `isMailed` if a mail to verify it was sent.
    static func providerEmailUnverified(_ provider: SignInProvider, isMailed: Bool) -> Self {
        let name = provider.rawValue
        return Self(
            422, "provider_email_needs_verification",
            "Unverified email with \(name). "
                + (isMailed
                    ? "A confirmation email has been sent to your \(name) email"
                    : "Verify the email with \(name) in order to sign in"),
            [.emailVerified])
    }

    static func linkedEmailUnverified(_ provider: SignInProvider) -> Self {
        Self(
            422, "email_not_confirmed", providerEmailUnverified(provider, isMailed: true).message,
            [.emailVerified])
    }

    /// The parameters of a redirect from a provider to the app.
    var redirectParameters: [(String, String)] {
        let deniedCodes = ["signup_disabled", "user_banned", "provider_email_needs_verification"]
        let name = deniedCodes.contains(code) ? "access_denied" : oauthName ?? "server_error"
        return [("error", name), ("error_code", code), ("error_description", message)]
    }

    /// The parameters of a redirect from a mailed link.
    var linkParameters: [(String, String)] {
        let items = [("error_code", code), ("error_description", message)]
        return items + (oauthName.map { [("error", $0)] } ?? [])
    }

    /// OAuth's name of the status (RFC 6749, section 4.1.2.1); nil if the server has none for it.
    private var oauthName: String? {
        switch status {
        case 400: "invalid_request"
        case 401: "unauthorized_client"
        case 403: "access_denied"
        case 500: "server_error"
        case 503: "temporarily_unavailable"
        default: nil
        }
    }
}

/// A failure of the auth server in OAuth's format (RFC 6749, section 5.2).
struct GoTrueOAuthFailure: ServerFailure {
    let row: FailureRow

    static func invalidRequest(_ message: String) -> Self {
        Self(400, "invalid request", message)
    }

    static let nonceMismatch = Self(400, "invalid nonce", "Nonces mismatch")

    var response: Response {
        .plainJSON(
            ["error": .string(code), "error_description": .string(message)], status: status)
    }
}
