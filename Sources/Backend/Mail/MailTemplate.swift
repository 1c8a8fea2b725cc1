import Core
import FoundationEssentials
import Web

/// The texts of a contract's mail around its link or code, rendered as plain text and HTML.
package struct MailTemplate: Sendable {
    /// Shown at the end of the text.
    let appName: String
    /// The sender's address, without a name.
    let sender: String
    let subject: String
    let intro: String
    /// Without a link, the recipient has to type the code; with both, either is sufficient.
    var link: String?
    var button = ""
    var code: String?
    let closing: String
    /// The app's colors, as CSS.
    let buttonColor: String
    let linkColor: String

    package init(
        appName: String, sender: String, subject: String, intro: String, link: String? = nil,
        button: String = "", code: String? = nil, closing: String, buttonColor: String,
        linkColor: String
    ) {
        self.appName = appName
        self.sender = sender
        self.subject = subject
        self.intro = intro
        self.link = link
        self.button = button
        self.code = code
        self.closing = closing
        self.buttonColor = buttonColor
        self.linkColor = linkColor
    }

    /// The mail with the link or code of `challenge`, without a sequence.
    func makeMail(_ id: String, for challenge: Challenge) -> Mail {
        let domain = sender.split(separator: "@").last ?? ""
        return Mail(
            id: id, sequence: 0, workspace: challenge.realm.workspace,
            app: challenge.realm.contract, to: challenge.email, subject: subject,
            purpose: challenge.purpose.mailPurpose, code: code, link: link,
            expiresAt: challenge.expiresAt.date,
            sentAt: challenge.createdAt.date, text: text, html: html,
            // The address is validated, so no field can contain a line break (RFC 5322).
            headers: [
                ("Date", Self.headerDate(challenge.createdAt)),
                ("From", "\(appName) <\(sender)>"), ("To", "<\(challenge.email)>"),
                ("Subject", subject), ("Message-ID", "<\(id)@\(domain)>"),
                ("MIME-Version", "1.0"), ("Content-Type", "multipart/alternative"),
            ], sender: sender)
    }

    private var text: String {
        let codeText = code.map { link == nil ? $0 : "Or enter this code: \($0)" }
        return """
            Hello,

            \(intro)

            \([link, codeText].compactMap(\.self).joined(separator: "\n\n"))

            \(closing)

            \(appName)

            """
    }

    /// RFC 5322, 3.3: `Sat, 21 Nov 2026 14:35:00 +0000`.
    static func headerDate(_ timestamp: Timestamp) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .weekday], from: timestamp.date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        return """
            \(days[(parts.weekday ?? 1) - 1]), \(parts.day ?? 1) \
            \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) \
            \(Format.timeOfDay(timestamp.date)) +0000
            """
    }
}

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
            \([linkHTML, codeHTML].compactMap(\.self).joined(separator: "\n"))
            <p style="color:#55524c">\(HTML.escape(closing))</p>
            </div>
            </body>
            </html>

            """
    }

    private var linkHTML: String? {
        link.map(HTML.escape).map { href in
            """
            <p style="margin:24px 0">\
            <a href="\(href)" style="\(Style.button(buttonColor))">\(HTML.escape(button))</a></p>
            <p style="overflow-wrap:anywhere">Or copy it: \
            <a href="\(href)" style="color:\(linkColor)">\(href)</a></p>
            """
        }
    }

    private var codeHTML: String? {
        code.map(HTML.escape).map { code in
            """
            \(link == nil ? "" : "<p>Or enter this code:</p>\n")\
            <p style="\(Style.code);color:\(linkColor)">\(code)</p>
            """
        }
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

/// A text message with a code.
package struct TextMessageTemplate: Sendable {
    /// Shown as the sender.
    let appName: String
    /// The whole text, with the code.
    let text: String
    let code: String

    package init(appName: String, text: String, code: String) {
        self.appName = appName
        self.text = text
        self.code = code
    }

    /// The message with the code of `challenge`, without a sequence.
    func makeMessage(_ id: String, for challenge: Challenge) -> Mail {
        Mail(
            id: id, sequence: 0, workspace: challenge.realm.workspace,
            app: challenge.realm.contract, to: challenge.email, subject: text,
            purpose: challenge.purpose.mailPurpose, code: code, link: nil,
            expiresAt: challenge.expiresAt.date, sentAt: challenge.createdAt.date, text: text,
            html: "", headers: [], sender: appName, channel: .textMessage)
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
