import Secrets
import Surroundings
import Web

/// Clarity's servers: Firebase's Identity Toolkit and Secure Token as the
/// Firebase SDKs know them, Clarity's own backend behind them, and the
/// Cognito backend that took their place later.
///
/// Unlike Firebase's emulator, tokens are signed and end, codes end and work
/// once, and a mailed link opens a page that can be used.
struct ClarityContract: Sendable {
    let premises: Premises
    let tokens: AccessTokens
    /// The project's, which its clients are configured with.
    let apiKey: String

    static let id = "clarity"

    /// What Firebase signs ID tokens with; the other key makes what is only
    /// ever compared.
    static let keys: [Keyring.Role: SigningKey.Algorithm] = [.access: .rs256, .code: .hs256]

    static let blueprint = Contract.Blueprint(
        id: id, keys: keys, client: "firebase",
        natives: [
            "identitytoolkit.googleapis.com", "www.googleapis.com", "securetoken.googleapis.com",
            "emulator",
        ], switches: [emailPrivacy, passwordSignIn, checksKeys, selfSignUp],
        troubles: Set(Trouble.Kind.allCases), people: people
    ) { try ClarityContract(premises: $0, tokens: $1).contract }

    static let emailPrivacy = Switch(
        name: "emailPrivacy", text: "Answers do not tell whether an e-mail address has an account.",
        isOnAtFirst: true)
    static let passwordSignIn = Switch(
        name: "passwordSignIn", text: "The project takes e-mail and password.", isOnAtFirst: true)
    static let checksKeys = Switch(
        name: "checksKeys", text: "Only the project's own API key is taken, not any.",
        isOnAtFirst: false)
    static let selfSignUp = Switch(
        name: "selfSignUp", text: "People can register themselves with the Cognito backend.",
        isOnAtFirst: true)

    /// An hour, unless somebody wished otherwise.
    static let idTokenLife: Duration = .seconds(3_600)

    /// Wrong passwords for one address, whether somebody has it or not.
    ///
    /// Google names no number; this one is met by trying, not by mistyping.
    static let wrongPasswords = RateLimit(name: "wrong passwords", count: 10, window: .seconds(900))
    /// Mails of one kind to one address, likewise.
    static let verifyMails = RateLimit(name: "verification mails", count: 5, window: .seconds(600))
    static let resetMails = RateLimit(name: "reset mails", count: 5, window: .seconds(600))

    init(premises: Premises, tokens: AccessTokens) throws {
        self.premises = premises
        self.tokens = tokens
        apiKey = try Self.apiKey(tokens.keyring)
    }

    var contract: Contract {
        Contract(
            id: Self.id, router: Router(routes), tokens: tokens, failure: Self.failed,
            blame: Self.checks, dress: { ClarityCORS.dress($1, to: $0) }, facts: facts)
    }

    func realm(_ visit: Visit) -> Realm { visit.realm(Self.id) }

    func isOn(_ given: Switch, _ realm: Realm) -> Bool { premises.switches.isOn(given, in: realm) }
}
