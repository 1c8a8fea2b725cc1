/// What a mail of Mystica says around its link.
struct MysticaMail: Sendable {
    let subject: String
    let lead: String
    let button: String
    let rest: String

    func text(link: String) -> String {
        """
        Hello,

        \(lead)

        \(link)

        \(rest)

        Mystica

        """
    }

    /// Mail clients know no style sheets, so what little style there is
    /// stands in attributes.
    func html(link: String) -> String {
        let href = HTML.escape(link)
        let title = HTML.escape(subject)
        return """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(title)</title></head>
            <body style="\(Style.body)">
            <div style="\(Style.card)">
            <h1 style="\(Style.heading)">\(title)</h1>
            <p>\(HTML.escape(lead))</p>
            <p style="margin:24px 0">\
            <a href="\(href)" style="\(Style.button)">\
            \(HTML.escape(button))</a></p>
            <p style="overflow-wrap:anywhere">Or copy it: \
            <a href="\(href)" style="color:#8b4513">\(href)</a></p>
            <p style="color:#55524c">\(HTML.escape(rest))</p>
            </div>
            </body>
            </html>

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
        static let button = """
            display:inline-block;padding:11px 24px;border-radius:6px;\
            background:#2d1810;color:#ffffff;text-decoration:none
            """
    }
}
