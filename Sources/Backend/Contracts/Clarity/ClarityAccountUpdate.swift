import SQLite

/// What `accounts:update` changes of somebody.
struct ClarityAccountUpdate: Sendable {
    var displayName: String?
    var photoURL: String?
    var removesDisplayName = false
    var removesPhotoURL = false
    var email: EmailAddress?
    /// Checked.
    var password: String?

    /// Whether everything issued before ends with it.
    var endsSessions: Bool { email != nil || password != nil }

    /// The account as it is after the change, made inside a write.
    func apply(
        to account: Account, passwordHash: String?, on connection: Connection, at now: Timestamp
    ) throws
        -> Account
    {
        var account = account
        var person = ClarityProfile(account)
        if let displayName { person.displayName = displayName }
        if let photoURL { person.photoURL = photoURL }
        if removesDisplayName { person.displayName = nil }
        if removesPhotoURL { person.photoURL = nil }
        if let email, email.text != account.email {
            let owner = try connection.account(email: email.text, in: account.realm)
            guard owner == nil else { throw ClarityGoogleFailure.emailExists }
            try connection.setUnverifiedEmail(of: account.id, to: email.text)
            account.email = email.text
            account.emailVerifiedAt = nil
        }
        if let hash = passwordHash {
            try connection.setPassword(of: account.id, hash: hash)
            account.passwordHash = hash
            person.passwordUpdatedAt = now.milliseconds
        }
        if endsSessions {
            person.validSince = now.seconds
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        }
        account.profile = person.jsonText
        try connection.setProfile(of: account.id, to: account.profile)
        return account
    }
}
