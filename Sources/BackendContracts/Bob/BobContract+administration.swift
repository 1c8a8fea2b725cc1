import Backend
import SQLite

/// Account administration as done directly in the server's tables. Neither dialect has a password
/// change, so no session ends with one.
extension BobContract {
    static let storesNames = true

    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: 6)
    }

    static func makeProfile(_ input: ProfileInput) -> String {
        let names = AccountDraft.splitName(of: input.displayName)
        return BobProfile(
            firstName: names.first, lastName: names.last, phoneNumber: nil,
            role: BobDialect.specification.defaultRole
        ).jsonText
    }

    static func displayName(of account: Account) -> String? {
        let profile = BobProfile(account)
        let name = "\(profile.firstName) \(profile.lastName)"
        return name == " " ? nil : name
    }

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify, .unverify:
            "Changes the account object only; login ignores it. Sessions remain valid."
        case .disable:
            "Login and refresh return 401 \"User account is inactive\". Access tokens stay valid "
                + "until they expire; sessions resume when the account is enabled."
        case .enable: "The account can sign in; its sessions resume."
        case .lock:
            "Login returns 429 \"Too many failed login attempts\" until then. Sessions remain "
                + "valid, and refresh works."
        case .unlock: "The account can sign in."
        case .setPassword:
            "The next login requires the new password. The contract has no password change, so "
                + "sessions remain valid."
        case .signOut:
            "All its refresh tokens are rejected. Access tokens stay valid until they expire, "
                + "because the server does not check their session."
        case .delete:
            "Deletes the account and its sessions. Refresh tokens are rejected at once; access "
                + "tokens when the server looks up the account."
        }
    }
}
