import Traffic

/// One way in which a state might be reached.
struct Attempt: Sendable, Hashable {
    /// One of the manifest's embedded backends.
    var backend: String
    var arrival: Arrival
    /// Who the backend knows under the address that is typed; nil is nobody.
    var account: Account?
    var twist: Twist = .none

    /// How the screen is come to.
    enum Arrival: Sendable, Hashable {
        /// A fresh device goes there by itself.
        case straight
        /// Somebody signed in first.
        case signedIn
        /// Signed in before; the server ended the session since.
        case returned
        /// By what an action of another screen leads to.
        case through(screen: String, action: String)
    }

    enum Account: String, Sendable, Hashable { case verified, unverified, locked, disabled }

    /// What is done otherwise than a person would who knows everything.
    enum Twist: Sendable, Hashable {
        case none
        case wrongPassword
        case password(String)
        case wrongCode
        /// From the moment before the last press.
        case conditions([Condition.Draft])
        /// It was pressed so often before.
        case again(Int)
        /// It was pressed so often before with a wrong password or code.
        case wrongAgain(Int)
        /// The account changes before the last press.
        case meanwhile(Fate)
        /// A switch of the contract is the other way round.
        case switched(String)
        /// From the moment before the last press, TLS is asked of a server
        /// that knows none.
        case misled
        /// A setting of the app is a wrong one.
        case misset(String)
    }

    enum Fate: String, Sendable, Hashable {
        case signedOut, deleted, disabled, locked
        /// Not the account, its access token on the device.
        case expired
    }
}
