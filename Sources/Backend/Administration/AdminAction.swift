/// What whoever runs a server does to an account of it.
package enum AdminAction: String, Sendable, CaseIterable {
    case verify, unverify, disable, enable, lock, unlock
    case setPassword = "password"
    case signOut = "sign-out"
    case delete
}

extension AdminAction {
    /// Whether a contract knows an act, and what people must know before.
    package enum Availability: Sendable, Equatable {
        /// It can be done; the text tells what follows and what ends with it.
        case available(String)
        /// The contract knows no such thing; the text tells why.
        case unavailable(String)

        package var isAvailable: Bool { if case .available = self { true } else { false } }

        package var explanation: String {
            switch self {
            case .available(let text), .unavailable(let text): text
            }
        }
    }
}
