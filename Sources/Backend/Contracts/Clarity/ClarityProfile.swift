import Web

/// What Clarity's servers keep of somebody besides their account: the JSON
/// object of its `profile`.
struct ClarityProfile: Sendable, Equatable {
    var displayName: String?
    var photoURL: String?
    /// Tokens issued before this second are worth nothing.
    var validSince: Int64?
    /// Milliseconds since 1970.
    var passwordUpdatedAt: Int64?
    var registration: Registration?

    /// What Clarity's own backend was told after Firebase.
    struct Registration: Sendable, Equatable {
        var firstName: String
        var lastName: String
        var phoneNumber: String?
        var termsAccepted: Bool
        var privacyPolicyAccepted: Bool
        /// RFC 3339.
        var createdAt: String
    }

    /// Somebody whose password was set just now.
    init(passwordSetAt now: Timestamp) { recordPasswordChange(at: now) }

    /// Everything that was issued before ends. Tokens count in seconds, so
    /// what was issued in this very second stays.
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

    /// A name and a picture end in every ID token, and a token must fit what
    /// reads it: what counts is how it is written there.
    static func fits(displayName text: String) -> Bool { jsonSize(text) <= maxNameLength }

    static func fits(photoURL text: String) -> Bool { jsonSize(text) <= 2_048 }

    /// A first or a last name; both and a space are a name.
    static func fits(namePart text: String) -> Bool { jsonSize(text) <= maxNamePartLength }

    static let maxNameLength = 256
    static let maxNamePartLength = (maxNameLength - 1) / 2

    /// Bytes in JSON, without quotation marks.
    private static func jsonSize(_ text: String) -> Int {
        JSON.string(text).description.utf8.count - 2
    }

    /// For the account.
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
        firstName = first
        lastName = last
        phoneNumber = json["phoneNumber"]?.string
        termsAccepted = json["termsAccepted"]?.bool ?? false
        privacyPolicyAccepted = json["privacyPolicyAccepted"]?.bool ?? false
        createdAt = created
    }

    fileprivate var json: JSON {
        [
            "firstName": .string(firstName), "lastName": .string(lastName),
            "phoneNumber": JSON(phoneNumber),
            "termsAccepted": .bool(termsAccepted),
            "privacyPolicyAccepted": .bool(privacyPolicyAccepted),
            "createdAt": .string(createdAt),
        ]
    }
}
