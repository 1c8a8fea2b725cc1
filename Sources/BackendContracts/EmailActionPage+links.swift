import Backend

/// Pages behind mailed links that all contracts share.
extension EmailActionPage {
    /// The form for a new password. `hiddenFields` return the link's secrets with the form, `field`
    /// is the contract's name of the password field, `rule` describes a valid password.
    static func newPasswordForm(
        appName app: String, action: String, hiddenFields: [(name: String, value: String)],
        field: String = "password", rule: String, error: String? = nil
    ) -> EmailActionPage {
        let ariaAttributes =
            error == nil
            ? "aria-describedby=\"rule\""
            : "aria-invalid=\"true\" aria-describedby=\"error rule\" autofocus"
        let message = error.map {
            "<p class=\"error\" id=\"error\" role=\"alert\" "
                + "data-testid=\"reset.error\">\(HTML.escape($0))</p>\n"
        }
        let hidden = hiddenFields.map { hiddenField in
            """
            <input type="hidden" name="\(hiddenField.name)" \
            value="\(HTML.escape(hiddenField.value))">

            """
        }.joined()
        let fields = """
            \(message ?? "")\(hidden)\
            <label for="password">New password</label>
            <input id="password" name="\(field)" type="password" required \
            autocomplete="new-password" \(ariaAttributes) \
            data-testid="reset.password">
            <p id="rule">\(rule)</p>
            <button data-testid="reset.submit">Change password</button>
            """
        return EmailActionPage(
            appName: app, tone: .prompt, heading: "Choose a new password",
            paragraphs: ["You will be signed out everywhere."],
            form: Form(action: action, fieldsHTML: fields), status: error == nil ? 200 : 422)
    }

    /// The result of a link that verifies an address.
    static func verification(
        _ state: LinkState, appName app: String, verifiedText: String, alreadyVerifiedText: String,
        retryText: String
    ) -> EmailActionPage {
        switch state {
        case .valid:
            EmailActionPage(
                appName: app, tone: .prompt, heading: "Verify your email",
                paragraphs: ["Open this link to verify."])
        case .completed:
            EmailActionPage(
                appName: app, tone: .good, heading: "Email verified", paragraphs: [verifiedText])
        case .alreadyVerified, .used:
            EmailActionPage(
                appName: app, tone: .good, heading: "Already verified",
                paragraphs: [alreadyVerifiedText])
        case .replaced, .expired, .unknown:
            invalidLink(state, appName: app, retryText: retryText)
        }
    }

    /// The result of a link for a new password.
    static func passwordReset(
        _ state: LinkState, appName app: String, signIn: String = "log in",
        usedText: String = "Your password was changed with it.",
        replacedTexts: [String] = defaultReplacedTexts, expiryText: String = defaultExpiryText,
        retryText: String
    ) -> EmailActionPage {
        guard state == .completed else {
            return invalidLink(
                state, appName: app, usedText: usedText, replacedTexts: replacedTexts,
                expiryText: expiryText, retryText: retryText)
        }
        return EmailActionPage(
            appName: app, tone: .good, heading: "Password changed",
            paragraphs: [
                "You were signed out everywhere. Go back to the app and "
                    + "\(signIn) with your new password."
            ])
    }

    static let defaultReplacedTexts = [
        "A newer mail was sent, and only its link works. Open the newest one."
    ]
    static let defaultExpiryText = "Links work for a limited time."

    /// The page for a link that does not work. `usedText`, `replacedTexts` and `expiryText` explain
    /// why, `retryText` how to get a new one.
    private static func invalidLink(
        _ state: LinkState, appName app: String, usedText: String = "",
        replacedTexts: [String] = defaultReplacedTexts, expiryText: String = defaultExpiryText,
        retryText: String
    ) -> EmailActionPage {
        let (heading, paragraphs, status) =
            switch state {
            case .used, .alreadyVerified:
                ("This link was already used", [usedText, retryText], 410)
            case .replaced: ("There is a newer link", replacedTexts, 410)
            case .expired: ("This link has expired", [expiryText, retryText], 410)
            case .unknown, .valid, .completed:
                (
                    "This link does not work",
                    ["It may be incomplete. Copy the whole link from the mail.", retryText], 404
                )
            }
        return EmailActionPage(
            appName: app, tone: .bad, heading: heading, paragraphs: paragraphs, status: status)
    }
}
