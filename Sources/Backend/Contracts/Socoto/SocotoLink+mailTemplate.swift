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
