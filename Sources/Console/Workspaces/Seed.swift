import Backend
import Web

/// The user a leased workspace starts with.
struct Seed: Sendable {
    var app: String
    var person: AccountDraft
    var state: State

    enum State: String, Sendable, CaseIterable {
        case unverified, verified, locked, signedIn, expired, revoked

        /// The state of the account alone.
        var accountState: AccountDraft.State {
            switch self {
            case .unverified: .unverified
            case .locked: .locked
            case .verified, .signedIn, .expired, .revoked: .verified
            }
        }

        var isSignedIn: Bool {
            switch self {
            case .unverified, .verified, .locked: false
            case .signedIn, .expired, .revoked: true
            }
        }
    }

    /// A seed with only a state.
    init(app: String, state: State) {
        self.app = app
        self.state = state
        person = AccountDraft(state: state.accountState)
    }

    /// Reads `{app, user: {email?, password?, displayName?}, state, accessTokenTTL?}`.
    init(_ body: inout BodyReader) {
        app = body.requiredString("app")
        state = body.choice("state", of: State.self) ?? .verified
        var person = AccountDraft(state: state.accountState)
        person.accessTokenTTL = body.integer(
            "accessTokenTTL", in: AccountChange.accessTokenTTLRange)
        if var user = body.object("user") {
            person.email = user.string("email", limit: 254)
            person.password = user.string("password")
            person.displayName = user.string("displayName", limit: 100)
            body.collectErrors(of: user)
        }
        self.person = person
    }
}
