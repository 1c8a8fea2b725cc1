import Backend
import FoundationEssentials
import SQLite
import Web

/// Account administration as in Firebase's console.
extension ClarityContract {
    static let storesNames = true
    static let authenticatorKeys: AuthenticatorKeyFormat? = .hex

    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: minPasswordLength)
    }

    static func makeProfile(of account: Account, displayName: String) -> String {
        let names = AccountDraft.splitName(of: displayName)
        var profile = ClarityProfile(passwordSetAt: account.createdAt)
        profile.displayName = displayName
        profile.registration = ClarityProfile.Registration(
            firstName: names.first, lastName: names.last, phoneNumber: nil,
            createdAt: account.createdAt.date.iso8601)
        return profile.jsonText
    }

    static func displayName(of account: Account) -> String? { ClarityProfile(account).displayName }

    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        var profile = ClarityProfile(account)
        profile.recordPasswordChange(at: now)
        try connection.setPassword(of: account.id, hash: hash)
        try connection.setProfile(of: account.id, to: profile.jsonText)
        try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
    }

    static func revokeSessions(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    {
        var profile = ClarityProfile(account)
        profile.validSince = now.seconds
        try connection.setProfile(of: account.id, to: profile.jsonText)
        try connection.revokeSessions(of: account.id, reason: .signedOutByAdministrator, at: now)
    }

    static func clearRateLimits(_ limits: RateLimits, of account: Account) {
        guard let email = account.email else { return }
        for limit in [failedSignInLimit, cognitoFailedLoginLimit] {
            limits.clear(limit, of: email, in: account.realm)
        }
    }

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify, .unverify:
            "Changes accounts:lookup at once, and the next token. Sessions remain valid."
        case .disable:
            "Sign-in, lookup and refresh return USER_DISABLED. Sessions resume when the account "
                + "is enabled."
        case .enable: "The account can sign in; its sessions resume."
        case .lock:
            "Sign-in returns TOO_MANY_ATTEMPTS_TRY_LATER until then, or until a password reset "
                + "by email. Sessions remain valid, and refresh works."
        case .unlock: "The account can sign in; its count of wrong passwords is cleared."
        case .setPassword:
            "Ends all its sessions: earlier ID tokens and all refresh tokens return "
                + "TOKEN_EXPIRED."
        case .signOut:
            "Revokes its refresh tokens: they and earlier ID tokens return TOKEN_EXPIRED."
        case .delete:
            "Deletes the account with its sessions and links; its tokens return USER_NOT_FOUND."
        }
    }
}
