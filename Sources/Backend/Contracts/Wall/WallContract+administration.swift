import SQLite

extension WallContract {
    /// Account administration as done directly in the server's tables.
    static let administration = Contract.Administration(
        needsPassword: false,
        passwordError: { password in
            password.isEmpty
                ? "is empty"
                : password.utf8.count > JSONBody.passwordLimit
                    ? "may have \(JSONBody.passwordLimit) bytes" : nil
        }, makeProfile: { _ in "{}" }, availability: availability,
        // Like the server's own password change, it ends no session.
        setPassword: { hash, account, connection, _ in
            try connection.setPassword(of: account.id, hash: hash)
        })

    private static func availability(_ action: AdminAction) -> AdminAction.Availability {
        switch action {
        case .verify:
            .available(
                "It may have login codes mailed and sign in by password. No session ends.")
        case .unverify:
            .available(
                "Passwords and login codes are refused until a mailed code "
                    + "was typed. Access tokens work until they end.")
        case .disable, .enable:
            .unavailable(
                "Anonymous Wall's server cannot disable an account. Delete "
                    + "it, or take its verification back.")
        case .lock, .unlock:
            .unavailable(
                "Anonymous Wall's server locks nobody out: it refuses a code "
                    + "after wrong guesses, never an account.")
        case .setPassword:
            .available(
                "The next login by password needs the new one. As with its "
                    + "own change of password no session ends.")
        case .signOut:
            .available(
                "Its sessions are marked as ended. The server gives no "
                    + "refresh tokens and does not ask after sessions: "
                    + "access tokens work until they end by themselves.")
        case .delete:
            .available(
                "The account goes with its sessions, and codes sent to it "
                    + "sign nobody in. Its access tokens are refused where "
                    + "the server looks the account up.")
        }
    }
}
