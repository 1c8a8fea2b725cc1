/// What the pages behind Socoto's links say.
enum SocotoPages {
    /// Where a followed link leads; `done` is what it did, if anything.
    static func site(_ done: SocotoLink?) -> ActionPage {
        switch done {
        case .signup:
            make(
                .good, "Email confirmed",
                ["Thank you. You can go back to the app and sign in now."])
        case .emailChange:
            make(
                .good, "Email changed",
                ["From now on you sign in with your new address."])
        case .recovery:
            make(
                .good, "You are signed in",
                ["Go back to the app to choose a new password."])
        case nil:
            make(
                .bad, "This link does not work",
                [
                    "It was used before, has expired, or a newer mail took "
                        + "its place.",
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
        case .used, .alreadyVerified:
            make(
                .bad, "This link was already used",
                ["It works once.", again], status: 410)
        case .replaced:
            make(
                .bad, "There is a newer link",
                [
                    "A newer mail was sent, or your password was changed "
                        + "since.",
                    again,
                ], status: 410)
        case .expired:
            make(
                .bad, "This link has expired",
                ["Links work for one hour.", again], status: 410)
        case .unknown, .works:
            make(
                .bad, "This link does not work",
                [
                    "It may be incomplete. Copy the whole link from the mail.",
                    again,
                ], status: 404)
        }
    }

    /// The form for a new password; `token` came with the link.
    static func newPassword(
        token: String, error: String? = nil
    ) -> ActionPage {
        let invalid =
            error == nil
            ? "aria-describedby=\"rule\""
            : "aria-invalid=\"true\" aria-describedby=\"error rule\" autofocus"
        let message = error.map {
            "<p class=\"error\" id=\"error\" role=\"alert\" "
                + "data-testid=\"reset.error\">\(HTML.escape($0))</p>\n"
        }
        var page = make(
            .ask, "Choose a new password",
            ["You will be signed out everywhere."],
            status: error == nil ? 200 : 422)
        let fields = """
            \(message ?? "")\
            <input type="hidden" name="token" value="\(HTML.escape(token))">
            <label for="password">New password</label>
            <input id="password" name="password" type="password" required \
            autocomplete="new-password" \(invalid) \
            data-testid="reset.password">
            <p id="rule">At least \(SocotoPassword.shortest) characters.</p>
            <button data-testid="reset.submit">Change password</button>
            """
        page.form = ActionPage.Form(action: "reset", fields: fields)
        return page
    }

    private static let again =
        "For a new one, open the app and choose Forgot Password?"

    private static func make(
        _ tone: ActionPage.Tone, _ heading: String, _ words: [String],
        status: Int = 200
    ) -> ActionPage {
        ActionPage(
            app: "Socoto", tone: tone, heading: heading, words: words,
            status: status)
    }
}
