extension MailTemplate {
    /// Mail clients do not support style sheets, so styles are inline attributes.
    var html: String {
        let title = HTML.escape(subject)
        return """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(title)</title></head>
            <body style="\(Style.body)">
            <div style="\(Style.card)">
            <h1 style="\(Style.heading)">\(title)</h1>
            <p>\(HTML.escape(intro))</p>
            \(actionHTML)
            <p style="color:#55524c">\(HTML.escape(closing))</p>
            </div>
            </body>
            </html>

            """
    }

    private var actionHTML: String {
        switch callToAction {
        case .link(let link, let button): linkHTML(link, button)
        case .code(let code): codeHTML(code)
        case .linkAndCode(let link, let button, let code):
            linkHTML(link, button) + "\n<p>Or enter this code:</p>\n" + codeHTML(code)
        }
    }

    private func linkHTML(_ link: String, _ button: String) -> String {
        let href = HTML.escape(link)
        let style = Style.button(colors.button)
        return """
            <p style="margin:24px 0">\
            <a href="\(href)" style="\(style)">\
            \(HTML.escape(button))</a></p>
            <p style="overflow-wrap:anywhere">Or copy it: \
            <a href="\(href)" style="color:\(colors.link)">\(href)</a></p>
            """
    }

    private func codeHTML(_ code: String) -> String {
        let style = Style.code + ";color:\(colors.link)"
        return """
            <p style="\(style)">\(HTML.escape(code))</p>
            """
    }

    private enum Style {
        static let body = """
            margin:0;padding:24px;background:#f6f5f2;color:#1d1c1a;\
            font-family:sans-serif;font-size:15px;line-height:22px
            """
        static let card = """
            max-width:480px;margin:0 auto;padding:32px;background:#ffffff;\
            border-radius:14px
            """
        static let heading = "margin:0 0 16px;font-size:24px;line-height:32px"
        static func button(_ background: String) -> String {
            """
            display:inline-block;padding:11px 24px;border-radius:6px;\
            background:\(background);color:#ffffff;text-decoration:none
            """
        }
        static let code = """
            margin:24px 0;font-family:monospace;font-size:32px;\
            line-height:40px;font-weight:600;letter-spacing:6px
            """
    }
}

/// Escapes text for HTML content and quoted attributes.
package enum HTML {
    package static func escape(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
