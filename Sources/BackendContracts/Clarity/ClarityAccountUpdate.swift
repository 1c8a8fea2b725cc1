import Backend
import SQLite

/// The changes of one `accounts:update` request.
struct ClarityAccountUpdate: Sendable {
    var displayName: String?
    var photoURL: String?
    var removesDisplayName = false
    var removesPhotoURL = false
    var email: EmailAddress?
    /// Already checked against the password rules.
    var password: String?

    /// Whether all sessions and tokens issued before end.
    var endsSessions: Bool { email != nil || password != nil }

    /// Applies the changes inside a write and returns the changed account.
    func apply(
        to account: Account, passwordHash: String?, on connection: Connection, at now: Timestamp
    ) throws
        -> Account
    {
        var account = account
        var profile = ClarityProfile(account)
        if let displayName { profile.displayName = displayName }
        if let photoURL { profile.photoURL = photoURL }
        if removesDisplayName { profile.displayName = nil }
        if removesPhotoURL { profile.photoURL = nil }
        if let email, email.text != account.email {
            let owner = try connection.account(email: email.text, in: account.realm)
            guard owner == nil else { throw ClarityGoogleFailure.emailExists }
            try connection.setEmail(of: account.id, to: email.text, verifiedAt: nil)
            account.email = email.text
            account.emailVerifiedAt = nil
        }
        if let hash = passwordHash {
            try connection.setPassword(of: account.id, hash: hash)
            account.passwordHash = hash
            profile.passwordUpdatedAt = now.milliseconds
        }
        if endsSessions {
            profile.validSince = now.seconds
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        }
        account.profile = profile.jsonText
        try connection.setProfile(of: account.id, to: account.profile)
        return account
    }
}
