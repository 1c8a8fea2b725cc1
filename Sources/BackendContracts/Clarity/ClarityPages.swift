import Backend

/// The texts of the pages behind Clarity's links.
enum ClarityPages {
    private static let appName = "CLARITY Pulse"

    static func page(_ link: ClarityLink, _ state: LinkState, continueURL: String? = nil)
        -> EmailActionPage
    {
        var page = basePage(link, state)
        if state == .completed || state == .alreadyVerified { page.continueURL = continueURL }
        return page
    }

    private static func basePage(_ link: ClarityLink, _ state: LinkState) -> EmailActionPage {
        switch (link, state) {
        case (.verify, .valid):
            makePage(.prompt, "Verify your email", ["Open this link to verify."])
        case (.verify, .completed):
            makePage(
                .good, "Email verified",
                ["Thank you. Go back to the app and tap I've Verified My Email."])
        case (_, .alreadyVerified), (.verify, .used):
            makePage(
                .good, "Already verified", ["This link was used before: your email is verified."])
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

    /// The form for a new password, with the `code` of the link.
    static func newPasswordForm(code: String, continueURL: String?, error: String? = nil)
        -> EmailActionPage
    {
        var hiddenFields = [(name: "oobCode", value: code)]
        if let url = continueURL { hiddenFields.append(("continueUrl", url)) }
        return EmailActionPage.newPasswordForm(
            appName: appName, action: "action", hiddenFields: hiddenFields, field: "newPassword",
            rule: ClarityContract.passwordRule, error: error)
    }

    private static func retryText(_ link: ClarityLink) -> String {
        switch link {
        case .verify: "For a new one, open the app and choose Resend Email."
        case .reset: "For a new one, ask the app to reset your password again."
        }
    }

    private static func makePage(
        _ tone: EmailActionPage.Tone, _ heading: String, _ paragraphs: [String]
    )
        -> EmailActionPage
    { EmailActionPage(appName: appName, tone: tone, heading: heading, paragraphs: paragraphs) }
}
