import Backend
import FoundationEssentials
import SQLite
import Web

/// Account administration as in Firebase's console.
extension ClarityContract {
    static let storesNames = true

    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: minPasswordLength)
    }

    static func makeProfile(of account: Account, displayName: String) -> String {
        let names = AccountDraft.splitName(of: displayName)
        var profile = ClarityProfile(passwordSetAt: account.createdAt)
        profile.displayName = displayName
        profile.registration = ClarityProfile.Registration(
            firstName: names.first, lastName: names.last, phoneNumber: nil,
            createdAt: account.createdAt.date.iso8601)
        return profile.jsonText
    }

    static func displayName(of account: Account) -> String? { ClarityProfile(account).displayName }

    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        var profile = ClarityProfile(account)
        profile.recordPasswordChange(at: now)
        try connection.setPassword(of: account.id, hash: hash)
        try connection.setProfile(of: account.id, to: profile.jsonText)
        try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
    }

    static func revokeSessions(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    {
        var profile = ClarityProfile(account)
        profile.validSince = now.seconds
        try connection.setProfile(of: account.id, to: profile.jsonText)
        try connection.revokeSessions(of: account.id, reason: .signedOutByAdministrator, at: now)
    }

    static func clearRateLimits(_ limits: RateLimits, of account: Account) {
        guard let email = account.email else { return }
        for limit in [failedSignInLimit, cognitoFailedLoginLimit] {
            limits.clear(limit, of: email, in: account.realm)
        }
    }

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify, .unverify:
            "Changes accounts:lookup at once, and the next token. Sessions remain valid."
        case .disable:
            "Sign-in, lookup and refresh return USER_DISABLED. Sessions resume when the account "
                + "is enabled."
        case .enable: "The account can sign in; its sessions resume."
        case .lock:
            "Sign-in returns TOO_MANY_ATTEMPTS_TRY_LATER until then, or until a password reset "
                + "by email. Sessions remain valid, and refresh works."
        case .unlock: "The account can sign in; its count of wrong passwords is cleared."
        case .setPassword:
            "Ends all its sessions: earlier ID tokens and all refresh tokens return "
                + "TOKEN_EXPIRED."
        case .signOut:
            "Revokes its refresh tokens: they and earlier ID tokens return TOKEN_EXPIRED."
        case .delete:
            "Deletes the account with its sessions and links; its tokens return USER_NOT_FOUND."
        }
    }
}

/// Clarity's account data, the JSON object of an account's `profile`.
struct ClarityProfile: Sendable, Equatable {
    var displayName: String?
    var photoURL: String?
    /// Tokens issued before this second are invalid.
    var validSince: Int64?
    /// Milliseconds since 1970.
    var passwordUpdatedAt: Int64?
    var registration: Registration?

    /// The registration data, with both consents, sent to Clarity's own backend after the sign-up
    /// at Firebase.
    struct Registration: Sendable, Equatable {
        var firstName: String
        var lastName: String
        var phoneNumber: String?
        /// RFC 3339.
        var createdAt: String
    }

    /// The profile of a new account whose password was just set.
    init(passwordSetAt now: Timestamp) { recordPasswordChange(at: now) }

    /// Invalidates everything issued before. Tokens count in seconds, so those issued in this very
    /// second stay valid.
    mutating func recordPasswordChange(at now: Timestamp) {
        passwordUpdatedAt = now.milliseconds
        validSince = now.seconds
    }

    init(_ account: Account) {
        let json = (try? JSON(parsing: account.profile)) ?? .null
        displayName = json["displayName"]?.string
        photoURL = json["photoUrl"]?.string
        validSince = json["validSince"]?.int
        passwordUpdatedAt = json["passwordUpdatedAt"]?.int
        registration = json["registration"].flatMap(Registration.init)
    }

    /// Whether a name fits into an ID token. Names and pictures are part of every ID token, whose
    /// size is limited, so what counts is their size as JSON.
    static func fits(displayName text: String) -> Bool { jsonSize(text) <= maxNameLength }

    static func fits(photoURL text: String) -> Bool { jsonSize(text) <= 2_048 }

    /// A first or last name. Both and a space make up a display name.
    static func fits(namePart text: String) -> Bool { jsonSize(text) <= maxNamePartLength }

    static let maxNameLength = 256
    static let maxNamePartLength = (maxNameLength - 1) / 2

    /// The size in bytes as JSON, without quotation marks.
    private static func jsonSize(_ text: String) -> Int {
        JSON.string(text).description.utf8.count - 2
    }

    /// The profile as stored in an account.
    var jsonText: String {
        let json: JSON = [
            "displayName": JSON(displayName), "photoUrl": JSON(photoURL),
            "validSince": validSince.map(JSON.int) ?? .null,
            "passwordUpdatedAt": passwordUpdatedAt.map(JSON.int) ?? .null,
            "registration": registration?.json ?? .null,
        ]
        return json.description
    }
}

extension ClarityProfile.Registration {
    fileprivate init?(_ json: JSON) {
        guard let first = json["firstName"]?.string, let last = json["lastName"]?.string,
            let created = json["createdAt"]?.string
        else { return nil }
        self.init(
            firstName: first, lastName: last, phoneNumber: json["phoneNumber"]?.string,
            createdAt: created)
    }

    fileprivate var json: JSON {
        [
            "firstName": .string(firstName), "lastName": .string(lastName),
            "phoneNumber": JSON(phoneNumber), "termsAccepted": true, "privacyPolicyAccepted": true,
            "createdAt": .string(createdAt),
        ]
    }
}
