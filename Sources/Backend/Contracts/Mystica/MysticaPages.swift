/// What the pages behind Mystica's links say.
enum MysticaPages {
    private static let app = "Mystica"

    static func page(_ link: MysticaLink, _ state: LinkState) -> ActionPage {
        switch (link, state) {
        case (.verify, .works): make(.ask, "Verify your email", ["Open this link to verify."])
        case (.verify, .done):
            make(.good, "Email verified", ["Thank you. You can go back to the app and log in now."])
        case (_, .alreadyVerified), (.verify, .used):
            make(
                .good, "Already verified",
                [
                    "This link was used before: your email is verified. You "
                        + "can go back to the app and log in."
                ])
        case (.reset, .done):
            make(
                .good, "Password changed",
                [
                    "You were signed out everywhere. Go back to the app and "
                        + "log in with your new password."
                ])
        default:
            ActionPage.dead(
                state, of: app, used: "Your password was changed with it.",
                lasts: "Links work for a limited time.", again: again(link))
        }
    }

    /// The form for a new password; `secret` came with the link.
    static func newPassword(secret: String, error: String? = nil) -> ActionPage {
        ActionPage.newPassword(
            of: app, to: "reset", secrets: [("token", secret)], rule: "At least 8 characters.",
            error: error)
    }

    private static func again(_ link: MysticaLink) -> String {
        switch link {
        case .verify: "For a new one, open the app and choose Resend Verification Email."
        case .reset: "For a new one, ask the app to reset your password again."
        }
    }

    private static func make(_ tone: ActionPage.Tone, _ heading: String, _ words: [String])
        -> ActionPage
    { ActionPage(app: app, tone: tone, heading: heading, words: words) }
}
