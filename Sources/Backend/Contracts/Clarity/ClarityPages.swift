/// What the pages behind Clarity's links say.
enum ClarityPages {
    private static let app = "CLARITY Pulse"

    static func page(_ link: ClarityLink, _ state: LinkState, next: String? = nil) -> ActionPage {
        var page = words(link, state)
        if state == .done || state == .alreadyVerified { page.next = next }
        return page
    }

    private static func words(_ link: ClarityLink, _ state: LinkState) -> ActionPage {
        switch (link, state) {
        case (.verify, .works): make(.ask, "Verify your email", ["Open this link to verify."])
        case (.verify, .done):
            make(
                .good, "Email verified",
                ["Thank you. Go back to the app and tap I've Verified My Email."])
        case (_, .alreadyVerified), (.verify, .used):
            make(.good, "Already verified", ["This link was used before: your email is verified."])
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

    /// The form for a new password; `code` came with the link.
    static func newPassword(code: String, next: String?, error: String? = nil) -> ActionPage {
        var secrets = [(name: "oobCode", value: code)]
        if let next { secrets.append(("continueUrl", next)) }
        return ActionPage.newPassword(
            of: app, to: "action", secrets: secrets, field: "newPassword",
            rule: ClarityContract.passwordRule, error: error)
    }

    private static func again(_ link: ClarityLink) -> String {
        switch link {
        case .verify: "For a new one, open the app and choose Resend Email."
        case .reset: "For a new one, ask the app to reset your password again."
        }
    }

    private static func make(_ tone: ActionPage.Tone, _ heading: String, _ words: [String])
        -> ActionPage
    { ActionPage(app: app, tone: tone, heading: heading, words: words) }
}
