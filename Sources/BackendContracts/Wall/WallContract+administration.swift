import Backend
import SQLite

extension WallContract {
    /// Account administration as done directly in the server's tables.
    static let administration = Contract.Administration(
        needsPassword: false,
        passwordError: { Contract.Administration.passwordError($0, minLength: 1) },
        makeProfile: { _ in "{}" }, availability: availability,
        // Like the server's own password change, it ends no session.
        setPassword: { hash, account, connection, _ in
            try connection.setPassword(of: account.id, hash: hash)
        })

    private static func availability(_ action: AdminAction) -> AdminAction.Availability {
        switch action {
        case .verify:
            .available(
                "The account can request login codes and sign in by password. "
                    + "Sessions remain valid.")
        case .unverify:
            .available(
                "Passwords and login codes are rejected until a mailed code is "
                    + "entered. Access tokens stay valid until they expire.")
        case .disable, .enable:
            .unavailable(
                "Anonymous Wall's server cannot disable an account. Delete it, or "
                    + "mark it unverified.")
        case .lock, .unlock:
            .unavailable(
                "Anonymous Wall's server cannot lock an account: after wrong attempts "
                    + "it rejects the code only.")
        case .setPassword:
            .available(
                "The next password login requires the new password. As with the "
                    + "server's own password change, sessions remain valid.")
        case .signOut:
            .available(
                "Marks its sessions as ended. The server issues no refresh tokens and "
                    + "does not check sessions, so access tokens stay valid until they "
                    + "expire.")
        case .delete:
            .available(
                "Deletes the account and its sessions; codes sent to it become "
                    + "invalid. Its access tokens are rejected where the server looks up "
                    + "the account.")
        }
    }
}
