import Backend

/// The texts of the pages behind Clarity's links.
enum ClarityPages {
    private static let appName = "CLARITY Pulse"

    static func page(_ link: ClarityLink, _ state: LinkState, continueURL: String? = nil)
        -> EmailActionPage
    {
        var page: EmailActionPage =
            switch link {
            case .verify:
                .verification(
                    state, appName: appName,
                    verifiedText: "Thank you. Go back to the app and tap I've Verified My Email.",
                    alreadyVerifiedText: "This link was used before: your email is verified.",
                    retryText: "For a new one, open the app and choose Resend Email.")
            case .reset:
                .passwordReset(
                    state, appName: appName,
                    retryText: "For a new one, ask the app to reset your password again.")
            }
        if state == .completed || state == .alreadyVerified { page.continueURL = continueURL }
        return page
    }

    /// The form for a new password, with the `code` of the link.
    static func newPasswordForm(code: String, continueURL: String?, error: String? = nil)
        -> EmailActionPage
    {
        var hiddenFields = [(name: "oobCode", value: code)]
        if let url = continueURL { hiddenFields.append(("continueUrl", url)) }
        return .newPasswordForm(
            appName: appName, action: "action", hiddenFields: hiddenFields, field: "newPassword",
            rule: ClarityContract.passwordRule, error: error)
    }
}
