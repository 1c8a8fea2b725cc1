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
    var form: Form?
    /// The URL of the Continue link, already checked.
    var continueURL: String?
    var status = 200

    /// A form on the page.
    struct Form: Sendable {
        /// The URL the form is posted to, relative to the page.
        let action: String
        /// Inner HTML, already escaped.
        let fieldsHTML: String
    }

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
        let continueLink = continueURL.map {
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
            \(form ?? "")\(continueLink ?? "")</main>
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
