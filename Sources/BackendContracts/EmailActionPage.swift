import Backend
import Web

/// A page behind a mailed link: reports the result, and may contain a form.
///
/// It works without scripts and loads nothing from other origins. Its style sheet is `page.css` in
/// the same folder.
struct EmailActionPage: Sendable {
    let appName: String
    let tone: Tone
    let heading: String
    /// Plain text, one item per paragraph.
    let paragraphs: [String]
    var formHTML = ""
    /// The URL of the Continue link, already checked.
    var continueURL: String?
    var status = 200

    /// The icon above the heading. The raw value is its CSS class.
    enum Tone: String, Sendable {
        case good, bad
        case prompt

        fileprivate var iconPath: String {
            switch self {
            case .good: "M5 12.5l4.5 4.5L19 7.5"
            case .bad: "M12 6v7.5M12 17.5v.5"
            case .prompt: "M7 11V8a5 5 0 0 1 10 0v3M6 11h12v8H6z"
            }
        }
    }

    var response: Response {
        Response(
            status: status,
            headers: [
                "Content-Type": "text/html; charset=utf-8",
                "Content-Security-Policy": """
                default-src 'none'; style-src 'self'; form-action 'self'; \
                base-uri 'none'; frame-ancestors 'none'
                """, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ], body: .bytes(Array(html.utf8)))
    }

    private var html: String {
        let paragraphs = paragraphs.map { "<p>\(HTML.escape($0))</p>" }
        let continueLink = continueURL.map {
            "<p><a href=\"\(HTML.escape($0))\" data-testid=\"action.next\">Continue</a></p>\n"
        }
        return Self.document(
            title: "\(heading) – \(appName)",
            main: """
                <main class="\(tone.rawValue)" data-testid="action">
                <svg viewBox="0 0 24 24" aria-hidden="true">\
                <path d="\(tone.iconPath)"/></svg>
                <p class="app">\(HTML.escape(appName))</p>
                <h1>\(HTML.escape(heading))</h1>
                \(paragraphs.joined(separator: "\n"))
                \(formHTML)\(continueLink ?? "")</main>
                """)
    }

    /// A whole page with `main`, which is HTML.
    static func document(title: String, main: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <title>\(HTML.escape(title))</title>
        <link rel="stylesheet" href="page.css">
        </head>
        <body>
        \(main)
        </body>
        </html>

        """
    }
}

/// The pages behind a contract's mailed links, with its texts.
struct LinkPages: Sendable {
    let appName: String
    /// The last paragraph of a page for a link that does not work: how to get a new one.
    let resetRetryText: String
    let passwordRule: String
    var verifiedText = ""
    var alreadyVerifiedText = ""
    var verificationRetryText = ""
    var signIn = "log in"
    var usedText = "Your password was changed with it."
    var replacedTexts = ["A newer mail was sent, and only its link works. Open the newest one."]
    var expiryText = "Links work for a limited time."

    /// The form for a new password. It is posted to `action`, relative to the page. `hiddenFields`
    /// return the link's secrets with it, `field` is the contract's name of the password field.
    func newPasswordForm(
        action: String = "reset", hiddenFields: [(name: String, value: String)],
        field: String = "password", error: String?
    ) -> EmailActionPage {
        let ariaAttributes =
            error == nil
            ? "aria-describedby=\"rule\""
            : "aria-invalid=\"true\" aria-describedby=\"error rule\" autofocus"
        let message = error.map {
            "<p class=\"error\" id=\"error\" role=\"alert\" "
                + "data-testid=\"reset.error\">\(HTML.escape($0))</p>\n"
        }
        let hidden = hiddenFields.map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(HTML.escape(value))\">\n"
        }.joined()
        var page = page(
            .prompt, "Choose a new password", ["You will be signed out everywhere."],
            status: error == nil ? 200 : 422)
        page.formHTML = """
            <form method="post" action="\(HTML.escape(action))">
            \(message ?? "")\(hidden)\
            <label for="password">New password</label>
            <input id="password" name="\(field)" type="password" required \
            autocomplete="new-password" \(ariaAttributes) \
            data-testid="reset.password">
            <p id="rule">\(passwordRule)</p>
            <button data-testid="reset.submit">Change password</button>
            </form>

            """
        return page
    }

    /// The result of a link that verifies an address.
    func verification(_ state: LinkState) -> EmailActionPage {
        switch state {
        case .valid: page(.prompt, "Verify your email", ["Open this link to verify."])
        case .completed: page(.good, "Email verified", [verifiedText])
        case .alreadyVerified, .used: page(.good, "Already verified", [alreadyVerifiedText])
        case .replaced, .expired, .unknown: invalidLink(state, verificationRetryText)
        }
    }

    /// The result of a link for a new password.
    func passwordReset(_ state: LinkState) -> EmailActionPage {
        guard state == .completed else { return invalidLink(state, resetRetryText) }
        return page(
            .good, "Password changed",
            [
                "You were signed out everywhere. Go back to the app and "
                    + "\(signIn) with your new password."
            ])
    }

    /// The page for a link that does not work: why, and how to get a new one.
    private func invalidLink(_ state: LinkState, _ retryText: String) -> EmailActionPage {
        switch state {
        case .used, .alreadyVerified:
            page(.bad, "This link was already used", [usedText, retryText], status: 410)
        case .replaced: page(.bad, "There is a newer link", replacedTexts, status: 410)
        case .expired: page(.bad, "This link has expired", [expiryText, retryText], status: 410)
        case .unknown, .valid, .completed:
            page(
                .bad, "This link does not work",
                ["It may be incomplete. Copy the whole link from the mail.", retryText], status: 404
            )
        }
    }

    func page(
        _ tone: EmailActionPage.Tone, _ heading: String, _ paragraphs: [String], status: Int = 200
    ) -> EmailActionPage {
        EmailActionPage(
            appName: appName, tone: tone, heading: heading, paragraphs: paragraphs, status: status)
    }
}

extension EmailActionPage {
    /// One quiet column, light or dark as the system. Text has a contrast of at least 4.5 with its
    /// background, edges of controls 3.
    static let css = """
        :root {
          color-scheme: light dark;
          --bg: #f6f5f2; --surface: #ffffff; --line: #e5e3dd;
          --field: #8e8a81; --ink: #1d1c1a; --ink2: #55524c;
          --accent: #2553cc; --on-accent: #ffffff;
          --ok: #136b40; --ok-tint: #e3f3ea;
          --bad: #b32b1c; --bad-tint: #fceae6; --tint: #eaeffc;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --bg: #111110; --surface: #191918; --line: #2c2c29;
            --field: #76736b; --ink: #eeece7; --ink2: #b8b4ab;
            --accent: #93b2ff; --on-accent: #0d1733;
            --ok: #6fcf9c; --ok-tint: #14271d;
            --bad: #ff9583; --bad-tint: #361d18; --tint: #1d2742;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; min-height: 100vh; display: grid; padding: 24px 16px;
          background: var(--bg); color: var(--ink);
          font: 15px/22px -apple-system, BlinkMacSystemFont, "Segoe UI",
            Roboto, "Noto Sans", "DejaVu Sans Condensed", system-ui,
            sans-serif;
        }
        main {
          width: 100%; max-width: 400px; margin: auto; padding: 32px;
          background: var(--surface); border: 1px solid var(--line);
          border-radius: 14px; overflow-wrap: anywhere;
        }
        svg {
          display: block; width: 48px; height: 48px; padding: 12px;
          border-radius: 24px; fill: none; stroke: currentColor;
          stroke-width: 2; stroke-linecap: round; stroke-linejoin: round;
        }
        .good svg { color: var(--ok); background: var(--ok-tint); }
        .bad svg { color: var(--bad); background: var(--bad-tint); }
        .prompt svg { color: var(--accent); background: var(--tint); }
        h1 {
          margin: 0 0 16px; font-size: 24px; line-height: 32px;
          font-weight: 600; letter-spacing: -0.01em;
        }
        p { margin: 0 0 12px; color: var(--ink2); }
        .app { margin: 24px 0 0; font-size: 13px; line-height: 20px; }
        .error { color: var(--bad); }
        form { margin: 24px 0 0; }
        form p { margin: 0 0 16px; }
        label { display: block; margin: 0 0 4px; font-weight: 500; }
        input {
          width: 100%; height: 44px; margin: 0 0 8px; padding: 0 12px;
          border: 1px solid var(--field); border-radius: 6px;
          background: var(--surface); color: var(--ink); font: inherit;
        }
        input[aria-invalid] { border-color: var(--bad); }
        button {
          width: 100%; height: 44px; border: 0; border-radius: 6px;
          background: var(--accent); color: var(--on-accent);
          font: inherit; font-weight: 600; cursor: pointer;
        }
        :focus-visible { outline: 2px solid var(--accent);
          outline-offset: 2px; }
        """
}
