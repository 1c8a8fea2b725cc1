/// Why two sources disagree about a session, and how to fix it.
package struct Discrepancy: Equatable, Sendable {
    package var kind: Kind
    /// The source with the deviating value.
    package var outlier: Source
    /// Why they differ, in one sentence.
    package var explanation: String
    /// What to do, in one sentence.
    package var fix: String

    init(_ kind: Kind, _ outlier: Source, _ explanation: String, fix: String) {
        self.kind = kind
        self.outlier = outlier
        self.explanation = explanation
        self.fix = fix
    }

    /// A column of the comparison: where the value was read.
    package enum Source: String, Sendable, CaseIterable {
        case device, token, server

        /// The column's heading.
        package var label: String {
            switch self {
            case .device: "On device"
            case .token: "In token"
            case .server: "On server"
            }
        }
    }

    /// The raw value is the API's name.
    package enum Kind: String, Sendable, CaseIterable {
        /// The server ended the session; the device still holds its tokens.
        case revoked
        /// The device signed out; the server still has the session.
        case openOnServer
        /// The server has no such session.
        case unknownSession
        case accountDeleted
        case accountDisabled
        case accountLocked
        /// The backend rejected the access token.
        case refused
        /// The access token expired on this clock.
        case expired
        /// The token's email verification differs from the server's.
        case staleEmailVerification
        /// Another generation of the refresh token is current.
        case generationMismatch
        /// The server does not know the refresh token.
        case unknownRefreshToken
        /// Device, token and server name different users.
        case userMismatch
        case emailMismatch
        case sessionMismatch
        /// The signature names a key that was never published.
        case unknownKey
        case invalidSignature
        /// Any other difference between two sources.
        case valueMismatch
    }

    /// Whether lists show a mark. Expiry and a temporary lock resolve with time, and a session that
    /// is over for the device is no problem.
    package var isCounted: Bool { ![.expired, .openOnServer, .accountLocked].contains(kind) }

    /// Which discrepancies are counted and which are only listed, for the API's description.
    package static let countingRule =
        "those that time does not resolve. An expired token (expired), a temporarily locked "
        + "account (accountLocked) and a session that is open only on the server (openOnServer) "
        + "are listed among a session's discrepancies but not counted; ?state= finds expired "
        + "sessions."
}
