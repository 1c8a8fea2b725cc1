import Backend

/// The texts of the pages behind Mystica's links.
enum MysticaPages {
    private static let appName = "Mystica"

    static func page(_ link: MysticaLink, _ state: LinkState) -> EmailActionPage {
        switch (link, state) {
        case (.verify, .valid):
            makePage(.prompt, "Verify your email", ["Open this link to verify."])
        case (.verify, .completed):
            makePage(
                .good, "Email verified", ["Thank you. You can go back to the app and log in now."])
        case (_, .alreadyVerified), (.verify, .used):
            makePage(
                .good, "Already verified",
                [
                    "This link was used before: your email is verified. You "
                        + "can go back to the app and log in."
                ])
        case (.reset, .completed):
            makePage(
                .good, "Password changed",
                [
                    "You were signed out everywhere. Go back to the app and "
                        + "log in with your new password."
                ])
        default:
            EmailActionPage.invalidLink(
                state, appName: appName, usedText: "Your password was changed with it.",
                expiryText: "Links work for a limited time.", retryText: retryText(link))
        }
    }

    /// The form for a new password, with the `secret` of the link.
    static func newPasswordForm(secret: String, error: String? = nil) -> EmailActionPage {
        EmailActionPage.newPasswordForm(
            appName: appName, action: "reset", hiddenFields: [("token", secret)],
            rule: "At least 8 characters.",
            error: error)
    }

    private static func retryText(_ link: MysticaLink) -> String {
        switch link {
        case .verify: "For a new one, open the app and choose Resend Verification Email."
        case .reset: "For a new one, ask the app to reset your password again."
        }
    }

    private static func makePage(
        _ tone: EmailActionPage.Tone, _ heading: String, _ paragraphs: [String]
    )
        -> EmailActionPage
    { EmailActionPage(appName: appName, tone: tone, heading: heading, paragraphs: paragraphs) }
}

/// The purpose of a link in one of Mystica's mails.
enum MysticaLink: Sendable {
    case verify, reset

    var purpose: Challenge.Purpose {
        switch self {
        case .verify: .verify
        case .reset: .reset
        }
    }
}
