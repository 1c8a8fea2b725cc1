import Traffic

/// One combination of backend, account, entry path and input that may bring a screen into a state.
struct Attempt: Sendable, Hashable {
    /// The id of one of the manifest's embedded backends.
    var backend: String
    var entryPath: EntryPath
    /// The state of the account under the sample email on the backend; nil means there is none.
    var accountState: AccountState?
    var variation: Variation = .none

    /// How playback navigates to the screen.
    enum EntryPath: Sendable, Hashable {
        /// A fresh device opens the screen.
        case direct
        /// After a sign-in.
        case signedIn
        /// After a sign-in whose session the server has ended.
        case sessionEnded
        /// By running an action of another screen.
        case viaAction(screen: String, action: String)
    }

    enum AccountState: String, Sendable, Hashable { case verified, unverified, locked, disabled }

    /// How the attempt deviates from plain valid input.
    enum Variation: Sendable, Hashable {
        case none
        case wrongPassword
        case password(String)
        case wrongCode
        /// Injected before the last press.
        case faults([Fault.Draft])
        /// The action was run this many times before.
        case repeated(Int)
        /// The action was run this many times before with a wrong password or code.
        case repeatedWithWrongInput(Int)
        /// The account changes before the last press.
        case accountEvent(AccountEvent)
        /// Inverts a switch of the contract.
        case flippedSwitch(String)
        /// From the last press on, the app dials the plain-HTTP backend with TLS.
        case forcedTLS
        /// The named setting of the app has a wrong value.
        case wrongSetting(String)
    }

    enum AccountEvent: String, Sendable, Hashable {
        case signedOut, deleted, disabled, locked
        /// Expires the access token on the device; the account itself is unchanged.
        case tokenExpired = "expired"
    }
}
