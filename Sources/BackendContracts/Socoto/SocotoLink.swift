import Backend

/// The purpose of a mailed link. The raw value is its `type`.
enum SocotoLink: String, Sendable, CaseIterable {
    case signup, recovery
    case emailChange = "email_change"

    /// The link of a `type` as clients send it. Nil for types without a mail.
    init?(type: String) {
        // The code of either kind of sign-up may have the type `email`.
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

    /// The method recorded for a user who followed the link and presented a PKCE verifier.
    var signInMethod: SocotoSignInRecord.Method {
        switch self {
        case .signup: .signup
        case .recovery: .recovery
        case .emailChange: .emailChange
        }
    }

    /// Types of mails that only other endpoints would send.
    static let unsentTypes: Set<String> = ["magiclink", "invite"]

    /// How long the code and the link work.
    static let lifetime: Duration = .seconds(3_600)

    /// How many wrong attempts invalidate a code.
    static let maxAttempts = 10
}

extension SocotoLink {
    /// The text of the mail with its link and its code.
    func makeMailTemplate(link: String, code: String) -> MailTemplate {
        MailTemplate(
            appName: "Socoto", sender: "no-reply@socoto.app", subject: subject, intro: intro,
            callToAction: .linkAndCode(link, button: button, code: code),
            closing: "Link and code work once and for one hour. If you did not "
                + "ask for this mail, ignore it: nothing changes.",
            colors: .init(button: "#2563a8", link: "#2563a8"))
    }

    /// The real server's own subjects.
    private var subject: String {
        switch self {
        case .signup: "Confirm Your Signup"
        case .recovery: "Reset Your Password"
        case .emailChange: "Confirm Email Change"
        }
    }

    private var intro: String {
        switch self {
        case .signup: "Welcome to Socoto. Follow this link to confirm your account:"
        case .recovery: "Follow this link to choose a new password for Socoto:"
        case .emailChange: "Follow this link to use this address for your Socoto account:"
        }
    }

    private var button: String {
        switch self {
        case .signup: "Confirm your mail"
        case .recovery: "Choose a new password"
        case .emailChange: "Use this address"
        }
    }
}
