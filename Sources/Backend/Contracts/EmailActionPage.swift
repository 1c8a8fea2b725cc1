import Web

/// A page behind a mailed link: says what happened, and may ask for one more
/// thing.
///
/// It works without script and takes nothing from anywhere else. Its style
/// sheet is `page.css` beside it.
struct EmailActionPage: Sendable {
    /// The app's name.
    let appName: String
    let tone: Tone
    let heading: String
    /// Plain text, a paragraph each.
    let paragraphs: [String]
    var form: Form?
    /// Where to go from here: an address of the web that was checked.
    var continueURL: String?
    var status = 200

    /// One more thing to ask.
    struct Form: Sendable {
        /// Where it is posted to, relative to the page.
        let action: String
        /// Inner HTML, escaped already.
        let fieldsHTML: String
    }

    /// Which mark stands above the heading; the raw value is its CSS class.
    enum Tone: String, Sendable {
        case good, bad
        case prompt = "ask"

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
                """,
                "Referrer-Policy": "no-referrer",
                "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ], body: .bytes(Array(html.utf8)))
    }

    private var html: String {
        let paragraphs = paragraphs.map { "<p>\(HTML.escape($0))</p>" }
        let form = form.map { form in
            """
            <form method="post" action="\(HTML.escape(form.action))">
            \(form.fieldsHTML)
            </form>

            """
        }
        let next = continueURL.map {
            """
            <p><a href="\(HTML.escape($0))" data-testid="action.next">\
            Continue</a></p>

            """
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>\(HTML.escape(heading)) – \(HTML.escape(appName))</title>
            <link rel="stylesheet" href="page.css">
            </head>
            <body>
            <main class="\(tone.rawValue)" data-testid="action">
            <svg viewBox="0 0 24 24" aria-hidden="true">\
            <path d="\(tone.iconPath)"/></svg>
            <p class="app">\(HTML.escape(appName))</p>
            <h1>\(HTML.escape(heading))</h1>
            \(paragraphs.joined(separator: "\n"))
            \(form ?? "")\(next ?? "")</main>
            </body>
            </html>

            """
    }

    /// The style sheet of these pages.
    static var styleSheetResponse: Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=600",
            ], body: .bytes(Array(css.utf8)))
    }
}
