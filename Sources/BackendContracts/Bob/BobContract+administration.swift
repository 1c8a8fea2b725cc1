import Backend
import SQLite

extension BobContract {
    /// Account administration as done directly in the server's tables.
    static let administration = Contract.Administration(
        passwordError: { Contract.Administration.passwordError($0, minLength: 6) },
        makeProfile: { input in
            let names = AccountDraft.splitName(of: input.displayName)
            return BobProfile(
                firstName: names.first, lastName: names.last, phoneNumber: nil,
                role: BobDialect.specification.defaultRole
            ).jsonText
        },
        displayName: { account in
            let profile = BobProfile(account)
            let name = "\(profile.firstName) \(profile.lastName)"
            return name == " " ? nil : name
        }, availability: availability,
        // Neither dialect has a password change, so no session ends with it.
        setPassword: { hash, account, connection, _ in
            try connection.setPassword(of: account.id, hash: hash)
        })

    private static func availability(_ action: AdminAction) -> AdminAction.Availability {
        switch action {
        case .verify, .unverify:
            .available(
                "Changes the account object only; login ignores it. Sessions remain "
                    + "valid.")
        case .disable:
            .available(
                "Login and refresh return 401 \"User account is inactive\". Access "
                    + "tokens stay valid until they expire; sessions resume when the "
                    + "account is enabled.")
        case .enable: .available("The account can sign in; its sessions resume.")
        case .lock:
            .available(
                "Login returns 429 \"Too many failed login attempts\" until then. "
                    + "Sessions remain valid, and refresh works.")
        case .unlock: .available("The account can sign in.")
        case .setPassword:
            .available(
                "The next login requires the new password. The contract has no "
                    + "password change, so sessions remain valid.")
        case .signOut:
            .available(
                "All its refresh tokens are rejected. Access tokens stay valid until "
                    + "they expire, because the server does not check their session.")
        case .delete:
            .available(
                "Deletes the account and its sessions. Refresh tokens are rejected at "
                    + "once; access tokens when the server looks up the account.")
        }
    }
}
