package import Backend

/// The user a leased workspace starts with.
package struct Seed: Sendable {
    package var app: String
    package var person: AccountDraft
    package var state: State

    /// How far the user has come.
    package enum State: String, Sendable, CaseIterable {
        case unverified, verified, locked, signedIn, expired, revoked

        /// The state of the account alone.
        var accountState: AccountDraft.State {
            switch self {
            case .unverified: .unverified
            case .locked: .locked
            case .verified, .signedIn, .expired, .revoked: .verified
            }
        }

        /// Whether the device has a session, which may have ended.
        package var isSignedIn: Bool {
            switch self {
            case .unverified, .verified, .locked: false
            case .signedIn, .expired, .revoked: true
            }
        }
    }

    /// A seed with only a state.
    package init(app: String, state: State) {
        self.app = app
        self.state = state
        person = AccountDraft(state: state.accountState)
    }
}
