import SQLite

/// What `accounts:update` changes of somebody.
struct ClarityChange: Sendable {
    var displayName: String?
    var photoURL: String?
    var forgetsDisplayName = false
    var forgetsPhotoURL = false
    var email: EmailAddress?
    /// Checked.
    var password: String?

    /// Whether everything issued before ends with it.
    var endsSessions: Bool { email != nil || password != nil }

    /// The account as it is after the change, made inside a write.
    func made(to account: Account, hash: String?, on connection: Connection, at now: Moment) throws
        -> Account
    {
        var account = account
        var person = ClarityPerson(account)
        if let displayName { person.displayName = displayName }
        if let photoURL { person.photoURL = photoURL }
        if forgetsDisplayName { person.displayName = nil }
        if forgetsPhotoURL { person.photoURL = nil }
        if let email, email.text != account.email {
            let owner = try connection.account(email: email.text, in: account.realm)
            guard owner == nil else { throw ClarityFailure.emailExists }
            try connection.changeEmail(of: account.id, to: email.text)
            account.email = email.text
            account.emailVerifiedAt = nil
        }
        if let hash {
            try connection.setPassword(of: account.id, hash: hash)
            account.passwordHash = hash
            person.passwordUpdatedAt = now.milliseconds
        }
        if endsSessions {
            person.validSince = now.seconds
            try connection.revokeSessions(of: account.id, because: .passwordChanged, at: now)
        }
        account.profile = person.profile
        try connection.setProfile(of: account.id, to: account.profile)
        return account
    }
}
