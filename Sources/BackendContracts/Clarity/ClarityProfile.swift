import Backend
import FoundationEssentials
import Web

/// Clarity's account data, the JSON object of an account's `profile`.
struct ClarityProfile: Sendable, Equatable {
    var displayName: String?
    var photoURL: String?
    /// The name at a provider that it signed up with.
    var screenName: String?
    /// Tokens issued before this second are invalid.
    var validSince: Int64?
    /// Milliseconds since 1970.
    var passwordUpdatedAt: Int64?
    /// When it was created according to an administrator, in milliseconds since 1970.
    var createdAt: Int64?
    /// Claims of every ID token that an administrator set: a JSON object as text.
    var customAttributes: String?
    /// Whether it ever signed in with a custom token.
    var usedCustomToken = false
    /// Whether it ever signed in with a mailed link.
    var usedEmailLink = false
    /// The first address it had, to which a change of address can be reverted.
    var initialEmail: String?
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

    /// The profile of a new account without a password.
    init() {}

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
        screenName = json["screenName"]?.string
        validSince = json["validSince"]?.int
        passwordUpdatedAt = json["passwordUpdatedAt"]?.int
        createdAt = json["createdAt"]?.int
        customAttributes = json["customAttributes"]?.string
        usedCustomToken = json["customAuth"]?.bool ?? false
        usedEmailLink = json["emailLinkSignin"]?.bool ?? false
        initialEmail = json["initialEmail"]?.string
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
        let json: JSON = .omittingNil([
            "displayName": displayName.map(JSON.string), "photoUrl": photoURL.map(JSON.string),
            "screenName": screenName.map(JSON.string), "validSince": validSince.map(JSON.int),
            "passwordUpdatedAt": passwordUpdatedAt.map(JSON.int),
            "createdAt": createdAt.map(JSON.int),
            "customAttributes": customAttributes.map(JSON.string),
            "customAuth": usedCustomToken ? true : nil,
            "emailLinkSignin": usedEmailLink ? true : nil,
            "initialEmail": initialEmail.map(JSON.string), "registration": registration?.json,
        ])
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
