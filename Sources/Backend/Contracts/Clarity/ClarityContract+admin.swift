import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// Its people, as Firebase's console would make and change them.
    static let people = Contract.People(
        objection: { password in
            password.utf16.count < shortestPassword
                ? "needs 6 characters at least"
                : password.utf8.count > JSONBody.passwordLimit
                    ? "may have \(JSONBody.passwordLimit) bytes" : nil
        },
        profile: { newcomer in
            let now = newcomer.now
            let names = Person.names(of: newcomer.displayName)
            var person = ClarityPerson(passwordSetAt: now)
            person.displayName = newcomer.displayName
            person.registration = ClarityPerson.Registration(
                firstName: names.first, lastName: names.last, phoneNumber: nil, termsAccepted: true,
                privacyPolicyAccepted: true, createdAt: now.date.iso8601)
            return person.profile
        }, name: { ClarityPerson($0).displayName }, rule: rule,
        takePassword: { hash, account, connection, now in
            var person = ClarityPerson(account)
            person.setPassword(at: now)
            try connection.setPassword(of: account.id, hash: hash)
            try connection.setProfile(of: account.id, to: person.profile)
            try connection.revokeSessions(of: account.id, because: .passwordChanged, at: now)
        },
        signOut: { account, connection, now in
            var person = ClarityPerson(account)
            person.validSince = now.seconds
            try connection.setProfile(of: account.id, to: person.profile)
            try connection.revokeSessions(of: account.id, because: .administrator, at: now)
        },
        forgive: { limits, account in
            guard let email = account.email else { return }
            for limit in [wrongPasswords, cognitoGuesses] {
                limits.clear(limit, of: email, in: account.realm)
            }
        })

    private static func rule(_ act: AccountAct) -> AccountAct.Rule {
        switch act {
        case .verify, .unverify:
            .possible("The next token says so, and accounts:lookup at once. No session ends.")
        case .disable:
            .possible(
                "Sign-in, look-up and refresh answer USER_DISABLED. Sessions "
                    + "are kept and go on once it is enabled.")
        case .enable: .possible("It may sign in, and its sessions go on.")
        case .lock:
            .possible(
                "Sign-in answers TOO_MANY_ATTEMPTS_TRY_LATER until then, or "
                    + "until the password is reset by mail. Sessions are "
                    + "kept, and refreshing works.")
        case .unlock: .possible("It may sign in; wrong passwords are forgotten.")
        case .password:
            .possible(
                "Every session of it ends: ID tokens issued before this "
                    + "second and all refresh tokens answer TOKEN_EXPIRED.")
        case .signOut:
            .possible(
                "Refresh tokens are revoked: they and ID tokens issued "
                    + "before this second answer TOKEN_EXPIRED.")
        case .delete:
            .possible(
                "The account goes with its sessions and links; its tokens "
                    + "answer USER_NOT_FOUND.")
        }
    }
}
