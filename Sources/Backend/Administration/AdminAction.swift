/// An administrator's action on an account.
package enum AdminAction: String, Sendable, CaseIterable {
    case verify, unverify, disable, enable, lock, unlock
    case setPassword = "password"
    case signOut = "sign-out"
    case delete
}

extension AdminAction {
    /// Whether a contract supports an action, with an explanation for users.
    package enum Availability: Sendable, Equatable {
        /// The text explains the consequences, such as which sessions end.
        case available(String)
        /// The text explains why the contract does not support the action.
        case unavailable(String)

        package var isAvailable: Bool { if case .available = self { true } else { false } }

        package var explanation: String {
            switch self {
            case .available(let text), .unavailable(let text): text
            }
        }
    }
}
