import Backend
import Web

/// The purpose of a link mailed by Firebase. The raw value is the link's `mode`.
enum ClarityLink: String, Sendable, CaseIterable {
    case verify = "verifyEmail"
    case reset = "resetPassword"
    case signIn
    case changeEmail = "verifyAndChangeEmail"
    case recoverEmail

    var purpose: Challenge.Purpose {
        switch self {
        case .verify: .verify
        case .reset: .reset
        case .signIn: .login
        case .changeEmail: .emailChange
        case .recoverEmail: .emailRecovery
        }
    }

    /// Identity Toolkit's name of the purpose.
    var requestType: String {
        switch self {
        case .verify: "VERIFY_EMAIL"
        case .reset: "PASSWORD_RESET"
        case .signIn: "EMAIL_SIGNIN"
        case .changeEmail: "VERIFY_AND_CHANGE_EMAIL"
        case .recoverEmail: "RECOVER_EMAIL"
        }
    }

    /// Google's enumeration.
    private static let requestTypes = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT",
        "VERIFY_EMAIL", "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL",
        "REVERT_SECOND_FACTOR_ADDITION",
    ]

    /// By name or by number. Throws for types that no client can request.
    init(requestType: String?) throws(GoogleFailure) {
        let types = Self.requestTypes
        guard let requestType else { throw .missingRequestType }
        let index = types.firstIndex(of: requestType) ?? Int(requestType)
        guard let index, types.indices.contains(index) else {
            throw .malformedPayload(
                "/requestType must be equal to one of the allowed values", code: "invalid")
        }
        guard index > 0 else { throw .missingRequestType }
        let found = Self.allCases.first { $0.requestType == types[index] }
        guard let found, found != .recoverEmail else { throw .notImplemented(types[index]) }
        self = found
    }

    var lifetime: Duration {
        switch self {
        case .verify, .changeEmail: ClarityContract.mailLifetime(isReset: false)
        case .reset: ClarityContract.mailLifetime(isReset: true)
        case .signIn: .seconds(21_600)
        case .recoverEmail: .seconds(604_800)
        }
    }

    /// The URL to be mailed. SDKs read `apiKey`, `oobCode` and `mode`.
    func url(root: String, code: String, apiKey: String, continueURL: String?) -> String {
        var query = [("mode", rawValue), ("lang", "en"), ("oobCode", code), ("apiKey", apiKey)]
        if let continueURL { query.append(("continueUrl", continueURL)) }
        return "\(root)/emulator/action?\(Form.encode(query))"
    }

    /// Whether a page may continue to `text`: an absolute URL on the web, or with the scheme of an
    /// app.
    static func canContinue(to text: String) -> Bool {
        // The text becomes a header field.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        let address = URLParts(text)
        switch address.scheme {
        case nil: return false
        case "http", "https": return address.isHTTPURL && address.port != nil
        // A browser runs, shows or opens these itself.
        case "javascript", "vbscript", "data", "blob", "file", "about", "view-source": return false
        default: return true
        }
    }

    /// The texts of its mail: subject, introduction, button and closing.
    func mailTexts(newEmail: String?) -> (
        subject: String, intro: String, button: String, closing: String
    ) {
        switch self {
        case .verify:
            (
                "Verify your email for CLARITY Pulse",
                "Follow this link to verify your email address:", "Verify email",
                ClarityContract.mailClosing("link", isReset: false)
            )
        case .reset:
            (
                "Reset your password for CLARITY Pulse",
                "Follow this link to choose a new password:", "Choose a new password",
                ClarityContract.mailClosing("link", isReset: true)
            )
        case .signIn:
            (
                "Sign in to CLARITY Pulse", "Follow this link to sign in:", "Sign in",
                "The link works once and for six hours. If you did not ask for it, ignore this "
                    + "mail: nothing changes."
            )
        case .changeEmail:
            (
                "Verify your new email for CLARITY Pulse",
                "Follow this link to make \(newEmail ?? "this") your email address:",
                "Change email", ClarityContract.mailClosing("link", isReset: false)
            )
        case .recoverEmail:
            (
                "Your email for CLARITY Pulse was changed",
                "If you did not change it, follow this link to restore this address:",
                "Restore this email",
                "The link works once and for seven days. If you changed it yourself, ignore this "
                    + "mail."
            )
        }
    }
}

/// A mailed code with what it is for.
struct ClarityActionCode: Sendable {
    let link: ClarityLink
    let challenge: Challenge
    /// Nil for a sign-in link to an address without an account.
    let account: Account?
    let state: LinkState

    /// The address of the account: before a change, and after a recovery.
    var email: String {
        link == .changeEmail ? ContractData(challenge).email ?? "" : challenge.email
    }

    /// The address after a change.
    var newEmail: String? { link == .changeEmail ? challenge.email : nil }

    init(_ link: ClarityLink, _ challenge: Challenge, _ account: Account?, at now: Timestamp) {
        self.link = link
        self.challenge = challenge
        self.account = account
        let isCurrent =
            switch link {
            case .verify, .reset: account?.email == challenge.email
            case .changeEmail:
                // A used link was followed when the address was still the former one.
                account != nil
                    && (challenge.usedAt != nil
                        || account?.email == ContractData(challenge).email)
            case .recoverEmail: account != nil
            case .signIn: true
            }
        state = isCurrent ? challenge.state(at: now) : .unknown
    }

    /// The contract's own data of a link's challenge.
    struct ContractData: Sendable {
        /// The sealed URL of the link.
        var sealedURL = ""
        /// The address before a change.
        var email: String?
        /// Microseconds of the system's clock: the order of links created in one millisecond, or
        /// while the workspace's clock stands still.
        var order: Int64 = 0

        init(sealedURL: String, email: String?, order: Int64) {
            self.sealedURL = sealedURL
            self.email = email
            self.order = order
        }

        init(_ challenge: Challenge) {
            let json = (try? JSON(parsing: challenge.contractData ?? "")) ?? .null
            sealedURL = json["url"]?.string ?? ""
            email = json["email"]?.string
            order = json["order"]?.int ?? 0
        }

        var text: String {
            JSON.omittingNil([
                "url": .string(sealedURL), "email": email.map(JSON.string), "order": .int(order),
            ]).description
        }
    }
}
