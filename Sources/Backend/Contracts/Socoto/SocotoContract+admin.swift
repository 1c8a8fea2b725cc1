import SQLite
import Web

extension SocotoContract {
    /// Its people, as GoTrue's administration would make and change them.
    static let people = Contract.People(
        objection: { password in
            do throws(SocotoFailure) {
                try SocotoPassword.check(password)
                return nil
            } catch { return "is refused: \(error.message)" }
        },
        profile: { newcomer in
            var metadata: [JSON.Member] = [
                .init("full_name", .string(newcomer.displayName)), .init("role", "user"),
            ]
            if newcomer.isVerified { metadata.append(.init("email_verified", true)) }
            var person = SocotoPerson(
                identity: newcomer.account.id, metadata: metadata, at: newcomer.now)
            person.row = SocotoRow(of: newcomer.account, person.metadata)
            return person.text
        },
        name: { account in
            SocotoPerson(account).metadata.first { $0.name == "full_name" }?.value.string
        }, rule: rule,
        verify: { account, connection, now in
            guard account.emailVerifiedAt == nil else { return }
            var person = SocotoPerson(account)
            person.merge([.init("email_verified", true)])
            person.updatedAt = now
            try connection.verifyEmail(of: account.id, at: now)
            try connection.save(person, of: account)
        },
        takePassword: { hash, account, connection, now in
            var person = SocotoPerson(account)
            try connection.take(password: hash, of: account, &person, keeping: nil, at: now)
            try connection.save(person, of: account)
        })

    private static func rule(_ act: AccountAct) -> AccountAct.Rule {
        switch act {
        case .verify: .possible("It may sign in. No session ends.")
        case .unverify:
            .impossible(
                "GoTrue takes no confirmation back: email_confirm false "
                    + "changes nothing there. Delete the account and add it anew.")
        case .disable:
            .possible(
                "It is banned without end: sign-in, user and refresh answer "
                    + "user_banned. Sessions are kept and go on once it is "
                    + "enabled; the table takes its access tokens until they end.")
        case .enable: .possible("The ban ends, and its sessions go on.")
        case .lock:
            .possible(
                "It is banned until then (banned_until): sign-in, user and "
                    + "refresh answer user_banned. Sessions are kept.")
        case .unlock: .possible("The ban ends, and its sessions go on.")
        case .password:
            .possible(
                "Every session of it ends, and mailed links and codes with "
                    + "them. The table takes its access tokens until they end.")
        case .signOut:
            .possible(
                "Every session of it ends: refresh tokens are refused, and "
                    + "the user's own calls too. The table takes its access "
                    + "tokens until they end.")
        case .delete:
            .possible(
                "The account goes with its sessions, its links and its row; "
                    + "its tokens speak for nobody.")
        }
    }
}
