/// What the pages behind mailed links have in common, whatever the app.
extension ActionPage {
    /// The form for a new password. `secrets` came with the link and go back
    /// with the form; `field` is what the contract calls the password, and
    /// `rule` what it must be.
    static func newPassword(
        of app: String, to action: String, secrets: [(name: String, value: String)],
        field: String = "password", rule: String, error: String? = nil
    ) -> ActionPage {
        let invalid =
            error == nil
            ? "aria-describedby=\"rule\""
            : "aria-invalid=\"true\" aria-describedby=\"error rule\" autofocus"
        let message = error.map {
            "<p class=\"error\" id=\"error\" role=\"alert\" "
                + "data-testid=\"reset.error\">\(HTML.escape($0))</p>\n"
        }
        let hidden = secrets.map { secret in
            """
            <input type="hidden" name="\(secret.name)" \
            value="\(HTML.escape(secret.value))">

            """
        }.joined()
        let fields = """
            \(message ?? "")\(hidden)\
            <label for="password">New password</label>
            <input id="password" name="\(field)" type="password" required \
            autocomplete="new-password" \(invalid) \
            data-testid="reset.password">
            <p id="rule">\(rule)</p>
            <button data-testid="reset.submit">Change password</button>
            """
        return ActionPage(
            app: app, tone: .ask, heading: "Choose a new password",
            words: ["You will be signed out everywhere."],
            form: Form(action: action, fields: fields), status: error == nil ? 200 : 422)
    }

    /// A link that leads nowhere, or not any more. `used`, `newer` and
    /// `lasts` say why; `again` how to come by another.
    static func dead(
        _ state: LinkState, of app: String, used: String,
        newer: [String] = [
            "A newer mail was sent, and only its link works. Open the newest one."
        ], lasts: String, again: String
    ) -> ActionPage {
        let (heading, words, status) =
            switch state {
            case .used, .alreadyVerified: ("This link was already used", [used, again], 410)
            case .replaced: ("There is a newer link", newer, 410)
            case .expired: ("This link has expired", [lasts, again], 410)
            case .unknown, .works, .done:
                (
                    "This link does not work",
                    ["It may be incomplete. Copy the whole link from the mail.", again], 404
                )
            }
        return ActionPage(app: app, tone: .bad, heading: heading, words: words, status: status)
    }
}
