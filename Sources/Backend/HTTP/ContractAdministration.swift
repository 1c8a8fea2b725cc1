package import SQLite

/// How an administrator creates and changes accounts of a contract, as its real server's dashboard
/// or tables would do it.
package protocol ContractAdministration: Sendable {
    /// Whether every account needs a password to sign in.
    static var needsPassword: Bool { get }
    /// Whether the contract stores the names of its users.
    static var storesNames: Bool { get }

    /// Why the server rejects a password; nil if it is accepted.
    static func passwordError(_ password: String) -> String?
    /// The contract's own data of a new account: a JSON object as text.
    static func makeProfile(_ input: ProfileInput) -> String
    /// The name of an account's owner; nil where the contract stores none.
    static func displayName(of account: Account) -> String?
    /// The actions that the real server has no counterpart for.
    static var unsupportedActions: Set<AdminAction> { get }
    /// The consequences of an action, such as which sessions end, or why it is not supported.
    static func explanation(of action: AdminAction) -> String

    /// Marks the address as verified.
    static func verifyEmail(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    /// Sets the password to a hash and applies the contract's rule on existing sessions.
    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp) throws
    /// Ends every session, and whatever else the contract ends with them.
    static func revokeSessions(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    /// Clears the rate limit counts of an account, in addition to its lock.
    static func clearRateLimits(_ limits: RateLimits, of account: Account)
}

extension ContractAdministration {
    package static var needsPassword: Bool { true }
    package static var storesNames: Bool { false }
    package static var unsupportedActions: Set<AdminAction> { [] }

    static func availability(of action: AdminAction) -> AdminAction.Availability {
        let text = explanation(of: action)
        return unsupportedActions.contains(action) ? .unavailable(text) : .available(text)
    }

    package static func makeProfile(_ input: ProfileInput) -> String { "{}" }
    package static func displayName(of account: Account) -> String? { nil }

    package static func verifyEmail(
        of account: Account, on connection: Connection, at now: Timestamp
    ) throws { try connection.verifyEmail(of: account.id, at: now) }

    /// Ends no session.
    package static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws { try connection.setPassword(of: account.id, hash: hash) }

    package static func revokeSessions(
        of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        try connection.revokeSessions(of: account.id, reason: .signedOutByAdministrator, at: now)
    }

    package static func clearRateLimits(_ limits: RateLimits, of account: Account) {}
}

/// The data of a new account from which its profile is built.
package struct ProfileInput: Sendable {
    package let account: Account
    package let displayName: String
    package let isVerified: Bool
    package let now: Timestamp
}

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
