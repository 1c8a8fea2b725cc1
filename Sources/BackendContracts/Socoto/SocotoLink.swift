import Backend

/// The purpose of a mailed link. The raw value is its `type`.
enum SocotoLink: String, Sendable {
    case signup, invite, recovery
    case magicLink = "magiclink"
    case emailChange = "email_change"

    var purpose: Challenge.Purpose {
        switch self {
        case .signup: .verify
        case .invite: .invite
        case .magicLink: .login
        case .recovery: .reset
        case .emailChange: .emailChange
        }
    }

    /// The method recorded for a user who followed the link and presented a PKCE verifier.
    static func signInMethod(of purpose: Challenge.Purpose) -> SignInRecord.Method {
        switch purpose {
        case .verify: .signup
        case .invite: .invite
        case .login: .magiclink
        case .reset: .recovery
        case .emailChange, .emailChangeCurrent: .emailChange
        default: .otp
        }
    }

    /// How long the code and the link work.
    static let lifetime: Duration = .seconds(3_600)

    /// How many wrong attempts invalidate a code.
    static let maxAttempts = 10

    /// The text of the mail with its link and its code. The subjects are the real server's own.
    func makeMailTemplate(link: String, code: String) -> MailTemplate {
        let (subject, intro, button) =
            switch self {
            case .signup:
                (
                    "Confirm Your Signup",
                    "Welcome to Socoto. Follow this link to confirm your account:",
                    "Confirm your mail"
                )
            case .invite:
                (
                    "You have been invited",
                    "You have been invited to Socoto. Follow this link to accept:",
                    "Accept the invite"
                )
            case .magicLink:
                ("Your Magic Link", "Follow this link to sign in to Socoto:", "Sign in")
            case .recovery:
                (
                    "Reset Your Password", "Follow this link to choose a new password for Socoto:",
                    "Choose a new password"
                )
            case .emailChange:
                (
                    "Confirm Email Change",
                    "Follow this link to use this address for your Socoto account:",
                    "Use this address"
                )
            }
        return MailTemplate(
            appName: "Socoto", sender: "no-reply@socoto.app", subject: subject, intro: intro,
            link: link, button: button, code: code,
            closing: "Link and code work once and for one hour. If you did not ask for this mail, "
                + "ignore it: nothing changes.", buttonColor: "#2563a8", linkColor: "#2563a8")
    }
}
