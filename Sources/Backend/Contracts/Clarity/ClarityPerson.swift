import Web

/// What Clarity's servers keep of somebody besides their account: the JSON
/// object of its `profile`.
struct ClarityPerson: Sendable, Equatable {
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
    init(passwordSetAt now: Moment) { setPassword(at: now) }

    /// Everything that was issued before ends. Tokens count in seconds, so
    /// what was issued in this very second stays.
    mutating func setPassword(at now: Moment) {
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

    /// For the account.
    var profile: String {
        let json: JSON = [
            "displayName": JSON(displayName), "photoUrl": JSON(photoURL),
            "validSince": validSince.map(JSON.int) ?? .null,
            "passwordUpdatedAt": passwordUpdatedAt.map(JSON.int) ?? .null,
            "registration": registration?.json ?? .null,
        ]
        return json.description
    }
}

extension ClarityPerson.Registration {
    fileprivate init?(_ json: JSON) {
        guard let first = json["firstName"]?.string,
            let last = json["lastName"]?.string,
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
