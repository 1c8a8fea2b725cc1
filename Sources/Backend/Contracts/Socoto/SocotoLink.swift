/// What a mailed link is for; the raw value is its `type`.
enum SocotoLink: String, Sendable, CaseIterable {
    case signup, recovery
    case emailChange = "email_change"

    /// The link of a `type` as clients say it; nil for types no mail has.
    init?(type: String) {
        // A code of either kind of sign-up may be called an e-mail code.
        self.init(rawValue: type == "email" ? "signup" : type)
    }

    var purpose: Challenge.Purpose {
        switch self {
        case .signup: .verify
        case .recovery: .reset
        case .emailChange: .emailChange
        }
    }

    init?(_ purpose: Challenge.Purpose) {
        guard let link = Self.allCases.first(where: { $0.purpose == purpose }) else { return nil }
        self = link
    }

    /// How somebody signed in who came by it and showed a secret besides.
    var signInMethod: SocotoSignInRecord.Method {
        switch self {
        case .signup: .signup
        case .recovery: .recovery
        case .emailChange: .emailChange
        }
    }

    /// Types whose mails other endpoints would send.
    static let unsentTypes: Set<String> = ["magiclink", "invite"]

    /// As long as the code and the link work.
    static let lifetime: Duration = .seconds(3_600)

    /// More wrong guesses end a code.
    static let maxAttempts = 10
}
