/// What the pages behind Socoto's links say.
enum SocotoPages {
    private static let app = "Socoto"

    /// Where a followed link leads; `done` is what it did, if anything.
    static func site(_ done: SocotoLink?) -> ActionPage {
        switch done {
        case .signup:
            make(
                .good, "Email confirmed", ["Thank you. You can go back to the app and sign in now."]
            )
        case .emailChange:
            make(.good, "Email changed", ["From now on you sign in with your new address."])
        case .recovery:
            make(.good, "You are signed in", ["Go back to the app to choose a new password."])
        case nil:
            make(
                .bad, "This link does not work",
                [
                    "It was used before, has expired, or a newer mail took its place.",
                    "If your email is confirmed already, go back to the app "
                        + "and sign in. If not, ask the app for a new mail.",
                ])
        }
    }

    /// What became of a link for a new password.
    static func reset(_ state: LinkState) -> ActionPage {
        switch state {
        case .done:
            make(
                .good, "Password changed",
                [
                    "You were signed out everywhere. Go back to the app and "
                        + "sign in with your new password."
                ])
        default:
            ActionPage.dead(
                state, of: app, used: "It works once.",
                newer: ["A newer mail was sent, or your password was changed since.", again],
                lasts: "Links work for one hour.", again: again)
        }
    }

    /// The form for a new password; `token` came with the link.
    static func newPassword(token: String, error: String? = nil) -> ActionPage {
        ActionPage.newPassword(
            of: app, to: "reset", secrets: [("token", token)],
            rule: "At least \(SocotoPassword.shortest) characters.", error: error)
    }

    private static let again = "For a new one, open the app and choose Forgot Password?"

    private static func make(_ tone: ActionPage.Tone, _ heading: String, _ words: [String])
        -> ActionPage
    { ActionPage(app: app, tone: tone, heading: heading, words: words) }
}
