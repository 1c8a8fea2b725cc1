/// Why two sides do not say the same of a session, and what would mend it.
struct Disagreement: Equatable, Sendable {
    var kind: Kind
    /// Which side's value is the odd one.
    var odd: Column
    /// One sentence.
    var why: String
    /// One sentence.
    var mend: String

    enum Column: String, Sendable { case stored, claimed, known }

    /// The raw value is the API's word.
    enum Kind: String, Sendable, CaseIterable {
        /// The server ended the session; the device still holds its tokens.
        case revoked
        /// The device signed out; the server still has the session.
        case stillOpen
        /// The server has no such session.
        case sessionUnknown
        case accountDeleted
        case accountDisabled
        case accountLocked
        /// The backend refused the access token when it was shown.
        case refused
        /// The access token is over on this clock.
        case expired
        /// The token says another thing of the address than the server.
        case verifiedStale
        /// Another generation of the refresh token is current.
        case otherGeneration
        /// The server does not know the refresh token.
        case refreshUnknown
        /// The sides speak of different people.
        case userChanged
        case emailChanged
        case sessionChanged
        /// The signature names a key nobody published.
        case keyUnknown
        case signatureWrong
        /// Anything else two sides tell differently.
        case differs

        var isDrift: Bool { self != .expired && self != .stillOpen && self != .accountLocked }
    }

    /// Whether a list marks it: that a token ends or a lock opens with time is
    /// no alarm, and a session that is over for the device alarms nobody.
    var isDrift: Bool { kind.isDrift }

    /// What is counted and what is only named, for the API's description.
    static let counted =
        "those that no passing of time explains. That a token"
        + " is over (expired), that an account is locked for a while"
        + " (accountLocked), or that a server goes on with what the device"
        + " gave up (stillOpen), is named among a session's disagreements and"
        + " not counted; ?state= finds those that are over."
}
