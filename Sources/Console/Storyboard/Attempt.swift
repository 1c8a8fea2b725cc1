import Traffic

/// One way in which a state might be reached.
struct Attempt: Sendable, Hashable {
    /// One of the manifest's embedded backends.
    var backend: String
    var entryPath: EntryPath
    /// Who the backend knows under the address that is typed; nil is nobody.
    var accountState: AccountState?
    var variation: Variation = .none

    /// How the screen is come to.
    enum EntryPath: Sendable, Hashable {
        /// A fresh device goes there by itself.
        case direct
        /// Somebody signed in first.
        case signedIn
        /// Signed in before; the server ended the session since.
        case sessionEnded
        /// By what an action of another screen leads to.
        case viaAction(screen: String, action: String)
    }

    enum AccountState: String, Sendable, Hashable { case verified, unverified, locked, disabled }

    /// What is done otherwise than a person would who knows everything.
    enum Variation: Sendable, Hashable {
        case none
        case wrongPassword
        case password(String)
        case wrongCode
        /// From the moment before the last press.
        case faults([Fault.Draft])
        /// It was pressed so often before.
        case repeated(Int)
        /// It was pressed so often before with a wrong password or code.
        case repeatedWithWrongInput(Int)
        /// The account changes before the last press.
        case accountEvent(AccountEvent)
        /// A switch of the contract is the other way round.
        case flippedSwitch(String)
        /// From the moment before the last press, TLS is asked of a server
        /// that knows none.
        case forcedTLS
        /// A setting of the app is a wrong one.
        case wrongSetting(String)
    }

    enum AccountEvent: String, Sendable, Hashable {
        case signedOut, deleted, disabled, locked
        /// Not the account, its access token on the device.
        case tokenExpired = "expired"
    }
}
