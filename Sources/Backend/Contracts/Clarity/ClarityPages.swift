import Web

/// What the pages behind Clarity's links say.
enum ClarityPages {
    static func page(
        _ link: ClarityLink, _ state: LinkState, next: String? = nil
    ) -> ActionPage {
        var page = words(link, state)
        if state == .done || state == .alreadyVerified { page.next = next }
        return page
    }

    private static func words(
        _ link: ClarityLink, _ state: LinkState
    ) -> ActionPage {
        switch (link, state) {
        case (.verify, .works):
            make(.ask, "Verify your email", ["Open this link to verify."])
        case (.verify, .done):
            make(
                .good, "Email verified",
                [
                    "Thank you. Go back to the app and tap I've Verified My "
                        + "Email."
                ])
        case (_, .alreadyVerified), (.verify, .used):
            make(
                .good, "Already verified",
                ["This link was used before: your email is verified."])
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

    /// The form for a new password; `code` came with the link.
    static func newPassword(
        code: String, next: String?, error: String? = nil
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
            \(hidden("oobCode", code))\
            \(next.map { hidden("continueUrl", $0) } ?? "")\
            <label for="password">New password</label>
            <input id="password" name="newPassword" type="password" required \
            autocomplete="new-password" \(invalid) \
            data-testid="reset.password">
            <p id="rule">At least 6 characters.</p>
            <button data-testid="reset.submit">Change password</button>
            """
        page.form = ActionPage.Form(action: "action", fields: fields)
        return page
    }

    private static func hidden(_ name: String, _ value: String) -> String {
        """
        <input type="hidden" name="\(name)" value="\(HTML.escape(value))">

        """
    }

    private static func again(_ link: ClarityLink) -> String {
        switch link {
        case .verify:
            "For a new one, open the app and choose Resend Email."
        case .reset:
            "For a new one, ask the app to reset your password again."
        }
    }

    private static func make(
        _ tone: ActionPage.Tone, _ heading: String, _ words: [String],
        status: Int = 200
    ) -> ActionPage {
        ActionPage(
            app: "CLARITY Pulse", tone: tone, heading: heading, words: words,
            status: status)
    }
}
