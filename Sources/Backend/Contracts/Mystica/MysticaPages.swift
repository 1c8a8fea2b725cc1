import Web

/// What the pages behind Mystica's links say.
enum MysticaPages {
    static func page(
        _ link: MysticaLink, _ state: LinkState
    ) -> ActionPage {
        switch (link, state) {
        case (.verify, .works):
            make(.ask, "Verify your email", ["Open this link to verify."])
        case (.verify, .done):
            make(
                .good, "Email verified",
                ["Thank you. You can go back to the app and log in now."])
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
        case (_, .used):
            make(
                .bad, "This link was already used",
                ["Your password was changed with it.", again(link)],
                status: 410)
        case (_, .replaced):
            make(
                .bad, "There is a newer link",
                [
                    "A newer mail was sent, and only its link works. Open the "
                        + "newest one."
                ], status: 410)
        case (_, .expired):
            make(
                .bad, "This link has expired",
                ["Links work for a limited time.", again(link)],
                status: 410)
        case (_, .unknown), (.reset, .works):
            make(
                .bad, "This link does not work",
                [
                    "It may be incomplete. Copy the whole link from the mail.",
                    again(link),
                ], status: 404)
        }
    }

    /// The form for a new password; `secret` came with the link.
    static func newPassword(
        secret: String, error: String? = nil
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
            <input type="hidden" name="token" value="\(HTML.escape(secret))">
            <label for="password">New password</label>
            <input id="password" name="password" type="password" required \
            autocomplete="new-password" \(invalid) \
            data-testid="reset.password">
            <p id="rule">At least 8 characters.</p>
            <button data-testid="reset.submit">Change password</button>
            """
        page.form = ActionPage.Form(action: "reset", fields: fields)
        return page
    }

    private static func again(_ link: MysticaLink) -> String {
        switch link {
        case .verify:
            "For a new one, open the app and choose Resend Verification Email."
        case .reset:
            "For a new one, ask the app to reset your password again."
        }
    }

    private static func make(
        _ tone: ActionPage.Tone, _ heading: String, _ words: [String],
        status: Int = 200
    ) -> ActionPage {
        ActionPage(
            app: "Mystica", tone: tone, heading: heading, words: words,
            status: status)
    }
}
