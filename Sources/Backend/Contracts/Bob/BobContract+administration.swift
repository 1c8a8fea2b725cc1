import SQLite

extension BobContract {
    /// Account administration as done directly in the server's tables.
    static let administration = Contract.Administration(
        passwordError: { password in
            password.utf16.count < 6
                ? "needs 6 characters at least"
                : password.utf8.count > JSONBody.passwordLimit
                    ? "may have \(JSONBody.passwordLimit) bytes" : nil
        },
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
                "The account says so when it is asked for; login does not "
                    + "look at it. No session ends.")
        case .disable:
            .available(
                "Login and refresh answer 401 \"User account is inactive\". "
                    + "Access tokens work until they end by themselves; "
                    + "sessions go on once it is enabled.")
        case .enable: .available("It may sign in, and its sessions go on.")
        case .lock:
            .available(
                "Login answers 429 \"Too many failed login attempts\" until "
                    + "then. Sessions are kept, and refreshing works.")
        case .unlock: .available("It may sign in.")
        case .setPassword:
            .available(
                "The next login needs the new one. The contract knows no "
                    + "change of password, so no session ends.")
        case .signOut:
            .available(
                "Every refresh token of it is refused from now on. Access "
                    + "tokens work until they end by themselves: the server "
                    + "does not ask after their session.")
        case .delete:
            .available(
                "The account goes with its sessions. Refresh tokens are "
                    + "refused at once; an access token is, as soon as the "
                    + "server looks the account up.")
        }
    }
}
