/// Why two sources disagree about a session, and how to fix it.
struct Discrepancy: Equatable, Sendable {
    var kind: Kind
    /// The source with the deviating value.
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

    /// The raw value is the API's name.
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
        /// The backend rejected the access token.
        case refused
        /// The access token expired on this clock.
        case expired
        /// The token's email verification differs from the server's.
        case staleEmailVerification = "verifiedStale"
        /// Another generation of the refresh token is current.
        case generationMismatch = "otherGeneration"
        /// The server does not know the refresh token.
        case unknownRefreshToken = "refreshUnknown"
        /// Device, token and server name different users.
        case userMismatch = "userChanged"
        case emailMismatch = "emailChanged"
        case sessionMismatch = "sessionChanged"
        /// The signature names a key that was never published.
        case unknownKey = "keyUnknown"
        case invalidSignature = "signatureWrong"
        /// Any other difference between two sources.
        case valueMismatch = "differs"

        var isCounted: Bool { self != .expired && self != .openOnServer && self != .accountLocked }
    }

    /// Whether lists mark it. Expiry and a temporary lock resolve with time, and a session that is
    /// over for the device is no problem.
    var isCounted: Bool { kind.isCounted }

    /// Which discrepancies are counted and which are only listed, for the API's description.
    static let countingRule =
        "those that no passing of time explains. That a token"
        + " is over (expired), that an account is locked for a while"
        + " (accountLocked), or that a server goes on with what the device"
        + " gave up (stillOpen), is named among a session's disagreements and"
        + " not counted; ?state= finds those that are over."
}
