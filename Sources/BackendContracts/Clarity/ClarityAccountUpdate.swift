import Backend
import Core
import SQLite
import Web

/// The changes of one `accounts:update` request.
struct ClarityAccountUpdate: Sendable {
    var displayName: String?
    var photoURL: String?
    var email: EmailAddress?
    /// Already checked against the password rules.
    var password: String?
    /// Whether the user asks to end every earlier session.
    var isRevocation = false
    var removedAttributes: Set<Attribute> = []
    /// `password`, `phone` and others.
    var removedProviders: Set<String> = []

    // What only an administrator changes.

    var isEmailVerified: Bool?
    /// E.164.
    var phone: String?
    var isDisabled: Bool?
    /// A JSON object as text, already checked.
    var customAttributes: String?
    /// Tokens issued before this second are invalid.
    var validSince: Int64?
    /// Milliseconds since 1970.
    var createdAt: Int64?
    var lastLoginAt: Int64?
    /// All second factors it has from now on.
    var factors: [ClarityFactorDraft]?
    var identity: ClarityIdentity?

    /// An attribute that can be removed, by Google's name.
    enum Attribute: String, Sendable, CaseIterable {
        case email = "EMAIL"
        case displayName = "DISPLAY_NAME"
        case photoURL = "PHOTO_URL"
        case password = "PASSWORD"

        /// By name, or by its number in Google's enumeration.
        init?(_ text: String) {
            let names = ["1": Self.email, "2": .displayName, "4": .photoURL, "5": .password]
            guard let attribute = names[text] ?? Self(rawValue: text) else { return nil }
            self = attribute
        }
    }

    /// Whether all sessions and tokens issued before end.
    var endsSessions: Bool { email != nil || password != nil || isRevocation }

    /// Reads what users change themselves, except address and password.
    mutating func readProfile(_ body: GoogleBody) throws {
        displayName = try body.displayName()
        photoURL = try body.photoURL()
        removedProviders = Set(try body.texts("deleteProvider"))
        for text in try body.texts("deleteAttribute") {
            if let attribute = Attribute(text) {
                removedAttributes.insert(attribute)
            } else if text == "3" || text == "6" || text == "PROVIDER" || text == "RAW_USER_INFO" {
                throw GoogleFailure.notImplemented("deleteAttribute: \(text)")
            } else if text != "0", text != "USER_ATTRIBUTE_NAME_UNSPECIFIED" {
                throw GoogleFailure.malformedPayload(
                    "/deleteAttribute must be equal to one of the allowed values",
                    code: "invalid")
            }
        }
    }

    /// Applies the changes inside a write and returns the changed account.
    func apply(
        to account: Account, passwordHash: String?, on connection: Connection, at now: Timestamp,
        world: World
    ) throws -> Account {
        var profile = ClarityProfile(account)
        try changeAddress(of: account, &profile, on: connection, at: now)
        if let hash = passwordHash {
            try connection.setPassword(of: account.id, hash: hash)
            profile.passwordUpdatedAt = now.milliseconds
        }
        let removesPassword = removedProviders.contains(ClaritySignIn.passwordProvider)
        if removesPassword || removedAttributes.contains(.password) {
            try connection.removePassword(of: account.id)
        }
        if let displayName { profile.displayName = displayName }
        if let photoURL { profile.photoURL = photoURL }
        if removedAttributes.contains(.displayName) { profile.displayName = nil }
        if removedAttributes.contains(.photoURL) { profile.photoURL = nil }
        if let customAttributes { profile.customAttributes = customAttributes }
        if let createdAt { profile.createdAt = createdAt }
        try changePhone(of: account, on: connection, at: now)
        if let isDisabled {
            try connection.setDisabled(account: account.id, at: isDisabled ? now : nil)
        }
        if let lastLoginAt {
            try connection.recordLogin(
                of: account.id, at: Timestamp(milliseconds: lastLoginAt))
        }
        try changeSessions(of: account, &profile, on: connection, at: now)
        try connection.setProfile(of: account.id, to: profile.jsonText)
        for identity in account.providerIdentities
        where removedProviders.contains(identity.provider) {
            try connection.remove(identity: identity.id)
        }
        if let identity { try connection.link(identity, to: account, at: now, world: world) }
        if let factors {
            try connection.setFactors(of: account, to: factors, at: now, world: world)
        }
        return try connection.account(account.id, in: account.realm) ?? account
    }

    private func changeAddress(
        of account: Account, _ profile: inout ClarityProfile, on connection: Connection,
        at now: Timestamp
    ) throws {
        if let email, email.text != account.email {
            let owner = try connection.account(email: email.text, in: account.realm)
            guard owner == nil else { throw GoogleFailure.emailExists }
            try connection.setEmail(
                of: account.id, to: email.text, verifiedAt: isEmailVerified == true ? now : nil)
            profile.initialEmail = profile.initialEmail ?? account.email
        } else if let isEmailVerified, let current = account.email {
            try connection.setEmail(
                of: account.id, to: current,
                verifiedAt: isEmailVerified ? account.emailVerifiedAt ?? now : nil)
        }
        let removesProvider = removedProviders.contains(ClaritySignIn.passwordProvider)
        if removedAttributes.contains(.email) || removesProvider {
            try connection.removeEmail(of: account.id)
            profile.usedEmailLink = false
        }
    }

    private func changePhone(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    {
        if let phone, phone != account.phone {
            let owner = try connection.account(phone: phone, in: account.realm)
            guard owner == nil else { throw GoogleFailure.phoneNumberExists }
            try connection.setPhone(of: account.id, to: phone, verifiedAt: now)
        }
        if removedProviders.contains(ClaritySignIn.phoneProvider) {
            try connection.setPhone(of: account.id, to: nil, verifiedAt: nil)
        }
    }

    private func changeSessions(
        of account: Account, _ profile: inout ClarityProfile, on connection: Connection,
        at now: Timestamp
    ) throws {
        if endsSessions {
            profile.validSince = now.seconds
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        }
        guard let validSince else { return }
        profile.validSince = validSince
        if validSince >= now.seconds {
            try connection.revokeSessions(
                of: account.id, reason: .signedOutByAdministrator, at: now)
        }
    }
}

/// An identity at a sign-in provider, as the provider reports it.
struct ClarityIdentity: Sendable, Equatable {
    let provider: String
    let subject: String
    var displayName: String?
    var photoURL: String?
    /// Normalized.
    var email: String?
    var screenName: String?

    init(provider: String, subject: String) {
        self.provider = provider
        self.subject = subject
    }

    init(_ body: GoogleBody, provider: String, subject: String) throws {
        self.init(provider: provider, subject: subject)
        displayName = try body.displayName()
        photoURL = try body.photoURL()
        email = try body.text("email").flatMap { ClarityContract.emailAddress($0)?.text }
        screenName = try body.text("screenName", limit: JSONBody.shortTextLimit)
    }

    init(_ identity: Identity) {
        self.init(provider: identity.provider, subject: identity.subject)
        let json = (try? JSON(parsing: identity.data)) ?? .null
        displayName = json["displayName"]?.string
        photoURL = json["photoUrl"]?.string
        email = json["email"]?.string
        screenName = json["screenName"]?.string
    }

    private var dataMembers: [JSON.Member] {
        .omittingNil([
            "displayName": displayName.map(JSON.string), "photoUrl": photoURL.map(JSON.string),
            "email": email.map(JSON.string), "screenName": screenName.map(JSON.string),
        ])
    }

    var data: String { JSON.object(dataMembers).description }

    /// Its entry in `providerUserInfo`.
    var json: JSON {
        .object(
            [.init("providerId", .string(provider)), .init("rawId", .string(subject))]
                + [.init("federatedId", .string(subject))] + dataMembers)
    }
}

extension Connection {
    /// Makes this the account's only identity at its provider.
    func link(_ identity: ClarityIdentity, to account: Account, at now: Timestamp, world: World)
        throws
    {
        for other in account.providerIdentities
        where other.provider == identity.provider && other.subject != identity.subject {
            try remove(identity: other.id)
        }
        var stored = Identity(
            id: RandomTokens.uuid(world), provider: identity.provider, subject: identity.subject,
            data: identity.data, createdAt: now, lastSignInAt: now)
        stored.updatedAt = now
        guard try save(stored, of: account) else { throw GoogleFailure.identityAlreadyLinked }
    }
}
