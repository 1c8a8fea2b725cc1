import Backend
import SQLite

/// Account administration as done directly in the server's tables.
extension MysticaContract {
    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: minPasswordLength)
    }

    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        try connection.setPassword(of: account.id, hash: hash)
        try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
    }

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify:
            "The next login and account request succeed. Sessions remain valid; a token keeps "
                + "its old claim until it is refreshed."
        case .unverify:
            "Login and account return 401 email_not_verified until the account is verified "
                + "again. Sessions remain valid."
        case .disable:
            "Login, account and refresh return 401 account_disabled. Sessions resume when the "
                + "account is enabled."
        case .enable: "The account can sign in; its sessions resume."
        case .lock:
            "Login, account and refresh return 429 account_locked with Retry-After until then. "
                + "Sessions resume afterwards."
        case .unlock: "The account can sign in; its sessions resume."
        case .setPassword:
            "Ends all its sessions, like a password reset by email: access and refresh tokens "
                + "are rejected at once."
        case .signOut: "Ends all its sessions: access and refresh tokens are rejected at once."
        case .delete:
            "Deletes the account with its sessions, links and codes; its tokens are rejected at "
                + "once. Received messages stay in the mailbox."
        }
    }
}
