import Backend

/// The texts of the pages behind Mystica's links.
enum MysticaPages {
    private static let appName = "Mystica"

    static func verificationPage(_ state: LinkState) -> EmailActionPage {
        .verification(
            state, appName: appName,
            verifiedText: "Thank you. You can go back to the app and log in now.",
            alreadyVerifiedText: "This link was used before: your email is verified. You "
                + "can go back to the app and log in.",
            retryText: "For a new one, open the app and choose Resend Verification Email.")
    }

    static func resetPage(_ state: LinkState) -> EmailActionPage {
        .passwordReset(
            state, appName: appName,
            retryText: "For a new one, ask the app to reset your password again.")
    }

    /// The form for a new password, with the `secret` of the link.
    static func newPasswordForm(secret: String, error: String? = nil) -> EmailActionPage {
        .newPasswordForm(
            appName: appName, action: "reset", hiddenFields: [("token", secret)],
            rule: "At least 8 characters.", error: error)
    }
}
