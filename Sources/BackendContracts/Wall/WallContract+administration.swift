import Backend
import SQLite

/// Account administration as done directly in the server's tables. Like the server's own password
/// change, one here ends no session.
extension WallContract {
    static let needsPassword = false

    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: 1)
    }

    static let unsupportedActions: Set<AdminAction> = [.disable, .enable, .lock, .unlock]

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify:
            "The account can request login codes and sign in by password. Sessions remain valid."
        case .unverify:
            "Passwords and login codes are rejected until a mailed code is entered. Access "
                + "tokens stay valid until they expire."
        case .disable, .enable:
            "Anonymous Wall's server cannot disable an account. Delete it, or mark it "
                + "unverified."
        case .lock, .unlock:
            "Anonymous Wall's server cannot lock an account: after wrong attempts it rejects the "
                + "code only."
        case .setPassword:
            "The next password login requires the new password. As with the server's own "
                + "password change, sessions remain valid."
        case .signOut:
            "Marks its sessions as ended. The server issues no refresh tokens and does not check "
                + "sessions, so access tokens stay valid until they expire."
        case .delete:
            "Deletes the account and its sessions; codes sent to it become invalid. Its access "
                + "tokens are rejected where the server looks up the account."
        }
    }
}
