/// Why two sides do not say the same of a session, and what would mend it.
struct Discrepancy: Equatable, Sendable {
    var kind: Kind
    /// Which side's value is the odd one.
    var outlier: Source
    /// One sentence.
    var explanation: String
    /// One sentence.
    var fix: String

    enum Source: String, Sendable {
        case device = "stored"
        case token = "claimed"
        case server = "known"
    }

    /// The raw value is the API's word.
    enum Kind: String, Sendable, CaseIterable {
        /// The server ended the session; the device still holds its tokens.
        case revoked
        /// The device signed out; the server still has the session.
        case openOnServer = "stillOpen"
        /// The server has no such session.
        case unknownSession = "sessionUnknown"
        case accountDeleted
        case accountDisabled
        case accountLocked
        /// The backend refused the access token when it was shown.
        case refused
        /// The access token is over on this clock.
        case expired
        /// The token says another thing of the address than the server.
        case staleEmailVerification = "verifiedStale"
        /// Another generation of the refresh token is current.
        case generationMismatch = "otherGeneration"
        /// The server does not know the refresh token.
        case unknownRefreshToken = "refreshUnknown"
        /// The sides speak of different people.
        case userMismatch = "userChanged"
        case emailMismatch = "emailChanged"
        case sessionMismatch = "sessionChanged"
        /// The signature names a key nobody published.
        case unknownKey = "keyUnknown"
        case invalidSignature = "signatureWrong"
        /// Anything else two sides tell differently.
        case valueMismatch = "differs"

        var isCounted: Bool { self != .expired && self != .openOnServer && self != .accountLocked }
    }

    /// Whether a list marks it: that a token ends or a lock opens with time is
    /// no alarm, and a session that is over for the device alarms nobody.
    var isCounted: Bool { kind.isCounted }

    /// What is counted and what is only named, for the API's description.
    static let countingRule =
        "those that no passing of time explains. That a token"
        + " is over (expired), that an account is locked for a while"
        + " (accountLocked), or that a server goes on with what the device"
        + " gave up (stillOpen), is named among a session's disagreements and"
        + " not counted; ?state= finds those that are over."
}
