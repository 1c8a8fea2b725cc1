import SQLite

extension MysticaContract {
    /// Account administration as done directly in the server's tables.
    static let administration = Contract.Administration(
        passwordError: { password in
            password.utf16.count < minPasswordLength
                ? "needs 8 characters at least"
                : password.utf8.count > JSONBody.passwordLimit
                    ? "may have \(JSONBody.passwordLimit) bytes" : nil
        }, makeProfile: { _ in "{}" }, availability: availability,
        setPassword: { hash, account, connection, now in
            try connection.setPassword(of: account.id, hash: hash)
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        })

    private static func availability(_ action: AdminAction) -> AdminAction.Availability {
        switch action {
        case .verify:
            .available(
                "The next login and the next look at the account succeed. "
                    + "No session ends; a token that says otherwise says so "
                    + "until it is refreshed.")
        case .unverify:
            .available(
                "Login and account answer 401 email_not_verified until it is "
                    + "verified again. No session ends.")
        case .disable:
            .available(
                "Login, account and refresh answer 401 account_disabled. "
                    + "Sessions are kept and go on once it is enabled.")
        case .enable: .available("It may sign in, and its sessions go on.")
        case .lock:
            .available(
                "Login, account and refresh answer 429 account_locked with "
                    + "Retry-After until then. Sessions are kept.")
        case .unlock: .available("It may sign in, and its sessions go on.")
        case .setPassword:
            .available(
                "Every session of it ends, as after a reset by mail: their "
                    + "access and refresh tokens are refused at once.")
        case .signOut:
            .available(
                "Every session of it ends: their access and refresh tokens "
                    + "are refused at once.")
        case .delete:
            .available(
                "The account goes with its sessions, links and codes; its "
                    + "tokens are refused at once. Mail that was caught stays.")
        }
    }
}
