/// What whoever runs a server does to an account of it.
package enum AccountAct: String, Sendable, CaseIterable {
    case verify, unverify, disable, enable, lock, unlock, password
    case signOut = "sign-out"
    case delete
}

extension AccountAct {
    /// Whether a contract knows an act, and what people must know before.
    package enum Rule: Sendable, Equatable {
        /// It can be done; the text tells what follows and what ends with it.
        case possible(String)
        /// The contract knows no such thing; the text tells why.
        case impossible(String)

        package var isPossible: Bool { if case .possible = self { true } else { false } }

        package var text: String {
            switch self {
            case .possible(let text), .impossible(let text): text
            }
        }
    }
}
