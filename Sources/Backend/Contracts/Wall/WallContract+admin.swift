import SQLite

extension WallContract {
    /// Its people, as somebody with the server's tables would make them.
    static let people = Contract.People(
        needsPassword: false,
        objection: { password in
            password.isEmpty
                ? "is empty"
                : password.utf8.count > JSONBody.passwordLimit
                    ? "may have \(JSONBody.passwordLimit) bytes" : nil
        }, profile: { _ in "{}" }, rule: rule,
        // As its own change of password does: nothing ends.
        takePassword: { hash, account, connection, _ in
            try connection.setPassword(of: account.id, hash: hash)
        })

    private static func rule(_ act: AccountAct) -> AccountAct.Rule {
        switch act {
        case .verify:
            .possible(
                "It may have login codes mailed and sign in by password. No session ends.")
        case .unverify:
            .possible(
                "Passwords and login codes are refused until a mailed code "
                    + "was typed. Access tokens work until they end.")
        case .disable, .enable:
            .impossible(
                "Anonymous Wall's server cannot disable an account. Delete "
                    + "it, or take its verification back.")
        case .lock, .unlock:
            .impossible(
                "Anonymous Wall's server locks nobody out: it refuses a code "
                    + "after wrong guesses, never an account.")
        case .password:
            .possible(
                "The next login by password needs the new one. As with its "
                    + "own change of password no session ends.")
        case .signOut:
            .possible(
                "Its sessions are marked as ended. The server gives no "
                    + "refresh tokens and does not ask after sessions: "
                    + "access tokens work until they end by themselves.")
        case .delete:
            .possible(
                "The account goes with its sessions, and codes sent to it "
                    + "sign nobody in. Its access tokens are refused where "
                    + "the server looks the account up.")
        }
    }
}
