import Backend
import Core
import Crypto
import FoundationEssentials
import Web

/// The page of an embedded provider: choose or type a person, then allow or deny.
///
/// It works without scripts, at the width of a phone, and loads nothing from other origins. Its
/// form is posted to the page's own URL. Its style sheet is `page.css` in the same folder.
struct ConsentPage: Sendable {
    let brand: ProviderBrand
    let appName: String
    let people: [ProviderPerson]
    /// What the app asks for, as the client sent it.
    let scopes: [String]
    /// A form that was rejected, with the reason.
    var rejected: (form: ConsentForm, reason: String)?

    var response: Response {
        Self.response(html, status: rejected == nil ? 200 : 422)
    }

    /// `script` is the text of the page's only script, if it has one. The phone in Foyer's console
    /// frames the page, as the app's browser.
    static func response(_ html: String, status: Int = 200, script: String? = nil) -> Response {
        // `form-action` would also apply to the redirect to the app, whose URL has any scheme.
        let scriptSource =
            script.map { text in
                let digest = Data(Hex.decode(Digest.sha256(text))).base64EncodedString()
                return " script-src 'sha256-\(digest)';"
            } ?? ""
        return Response(
            status: status,
            headers: [
                "Content-Type": "text/html; charset=utf-8",
                "Content-Security-Policy": """
                default-src 'none'; style-src 'self';\(scriptSource) base-uri 'none'; \
                frame-ancestors http://127.0.0.1:* http://localhost:*
                """, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ], body: .bytes(Array(html.utf8)))
    }

    private var html: String {
        let app = HTML.escape(appName)
        let error = rejected.map {
            "<p class=\"error\" id=\"error\" role=\"alert\" data-testid=\"consent.error\">"
                + "\(HTML.escape($0.reason))</p>\n"
        }
        let requested = scopes.isEmpty ? "your name and email" : scopes.joined(separator: ", ")
        return Self.document(
            brand, title: "Sign in with \(brand.name)",
            """
            <h1>Sign in with \(HTML.escape(brand.name))</h1>
            <p>\(app) asks for: \(HTML.escape(requested)).</p>
            <form method="post" data-testid="consent">
            \(error ?? "")<fieldset>
            <legend>Choose an account</legend>
            \(people.enumerated().map(option).joined(separator: "\n"))
            \(typedPerson)
            </fieldset>
            <div class="actions">
            <button name="decision" value="allow" data-testid="consent.allow">Allow</button>
            <button name="decision" value="deny" class="quiet" formnovalidate \
            data-testid="consent.deny">Deny</button>
            <button name="decision" value="cancel" class="quiet" formnovalidate \
            data-testid="consent.cancel">Cancel</button>
            </div>
            </form>
            <p class="note">Foyer plays \(HTML.escape(brand.name)) here. Nothing leaves this machine.</p>
            """)
    }

    private func option(_ index: Int, _ person: ProviderPerson) -> String {
        let isChecked = rejected == nil && index == 0
        let email = person.email.map { $0 + (person.isEmailVerified ? "" : ", not verified") }
        let name = person.name.isEmpty ? person.email ?? "No name" : person.name
        return """
            <label class="person"><input type="radio" name="person" \
            value="\(person.formValue)"\(isChecked ? " checked" : "") \
            data-testid="consent.person"><span><b>\(HTML.escape(name))</b> \
            <span>\(HTML.escape(email ?? "without email"))</span></span></label>
            """
    }

    /// The fields of a person who is not in the list.
    private var typedPerson: String {
        let form = rejected?.form
        let isChecked = form != nil || people.isEmpty
        let invalid = form == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"error\""
        func check(_ isOn: Bool) -> String { isOn ? " checked" : "" }
        return """
            <label class="person"><input type="radio" name="person" value="" \
            id="other"\(check(isChecked)) data-testid="consent.other"><span><b>Another person</b>\
            </span></label>
            <div class="typed">
            <label for="name">Name</label>
            <input id="name" name="name" autocomplete="off" \
            value="\(HTML.escape(form?.name ?? ""))" data-testid="consent.name">
            <label for="email">Email</label>
            <input id="email" name="email" type="email" autocomplete="off" \
            value="\(HTML.escape(form?.email ?? ""))"\(invalid) data-testid="consent.email">
            <label class="check"><input type="checkbox" name="verified" value="yes"\
            \(check(form?.isVerified ?? true)) data-testid="consent.verified"> \
            The email is verified</label>
            <label class="check"><input type="checkbox" name="without_email" value="yes"\
            \(check(form?.isWithoutEmail ?? false)) data-testid="consent.without-email"> \
            Without email</label>
            </div>
            """
    }

    /// A whole page with `body`, which is HTML.
    static func document(_ brand: ProviderBrand, title: String, _ body: String) -> String {
        EmailActionPage.document(
            title: title,
            main: """
                <main data-testid="provider">
                <p class="provider \(brand.cssClass)">\(HTML.escape(brand.name))</p>
                \(body)
                </main>
                """)
    }

    /// A page without a form, for a request that cannot be answered by a redirect.
    static func failure(_ brand: ProviderBrand, _ reason: String, status: Int = 400) -> Response {
        response(
            document(
                brand, title: "\(brand.name) cannot continue",
                """
                <h1>\(HTML.escape(brand.name)) cannot continue</h1>
                <p class="error" data-testid="provider.error">\(HTML.escape(reason))</p>
                <p>Go back to the app and try again.</p>
                """), status: status)
    }
}

/// The consent page's form as posted.
struct ConsentForm: Sendable, Equatable {
    let decision: Decision
    var name = ""
    var email = ""
    var isVerified = false
    var isWithoutEmail = false
    private var chosen: ProviderPerson?

    enum Decision: String, Sendable { case allow, deny, cancel }

    /// Nil without a known decision.
    init?(_ form: Form) {
        guard let decision = form["decision"].flatMap(Decision.init) else { return nil }
        self.decision = decision
        let typedName = (form["name"] ?? "").unicodeScalars.filter {
            $0.properties.generalCategory != .control
        }
        name = String(String.UnicodeScalarView(typedName)).trimming(" ")
        email = (form["email"] ?? "").trimming(" \t\r\n")
        isVerified = form["verified"] != nil
        isWithoutEmail = form["without_email"] != nil
        chosen = form["person"].flatMap(ProviderPerson.init(formValue:))
    }

    /// The person of an allowing form. Throws a problem with the typed fields.
    func person() throws(Rejection) -> ProviderPerson {
        if let chosen, chosen.email.map({ EmailAddress($0) != nil }) ?? true {
            try Self.checkLength(ofName: chosen.name)
            return chosen
        }
        try Self.checkLength(ofName: name)
        guard email.utf8.count <= EmailAddress.maxLength else {
            throw Rejection(reason: "The email is too long.")
        }
        if isWithoutEmail {
            guard !name.isEmpty else {
                throw Rejection(reason: "Enter the name of a person without email.")
            }
            return ProviderPerson(name: name, email: nil)
        }
        guard let address = EmailAddress(email) else {
            throw Rejection(reason: "Enter an email, such as ada@example.com, or check Without.")
        }
        return ProviderPerson(
            name: name.isEmpty ? address.text : name, email: address.text,
            isEmailVerified: isVerified)
    }

    private static func checkLength(ofName name: String) throws(Rejection) {
        guard name.utf8.count <= JSONBody.shortTextLimit else {
            throw Rejection(reason: "The name is too long.")
        }
    }

    /// Why the typed fields describe no person, as display text.
    struct Rejection: Error { let reason: String }
}

extension ConsentPage {
    /// The style sheet, which allows caching.
    static var styleSheet: Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=600",
            ], body: .bytes(Array(css.utf8)))
    }

    /// As the pages behind mailed links, with the providers' colors.
    private static var css: String {
        let brands = ProviderBrand.all.map { ".\($0.cssClass) { background: \($0.color); }" }
        return EmailActionPage.css + """

            main { padding: 0 0 24px; overflow: hidden; }
            main > :not(.provider), form { margin-left: 24px; margin-right: 24px; }
            .provider { margin: 0 0 24px; padding: 16px 24px; color: #ffffff;
              font-size: 20px; line-height: 24px; font-weight: 600; }
            form { margin-top: 16px; }
            main > form { margin-bottom: 16px; }
            fieldset { margin: 0 0 16px; padding: 0; border: 0; min-width: 0; }
            legend { margin: 0 0 8px; padding: 0; font-weight: 600; }
            .person, .check { display: flex; gap: 12px; align-items: center; margin: 0;
              font-weight: 400; cursor: pointer; }
            .person { min-height: 48px; padding: 6px 0; border-top: 1px solid var(--line); }
            .person span span { display: block; color: var(--ink2); font-size: 13px; }
            .person b { font-weight: 500; }
            .check { min-height: 44px; }
            input[type=radio], input[type=checkbox] { flex: none; width: 20px; height: 20px;
              margin: 0; padding: 0; accent-color: var(--accent); }
            .typed { padding: 8px 0 0 32px; }
            fieldset:has(#other:not(:checked)) .typed { display: none; }
            .actions { display: grid; gap: 8px; }
            button.quiet { background: none; border: 1px solid var(--field); color: var(--ink); }
            .note { margin-bottom: 0; font-size: 13px; line-height: 20px; }
            \(brands.joined(separator: "\n"))
            """
    }
}
