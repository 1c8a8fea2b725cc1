import Core
import FoundationEssentials

/// The texts of a contract's mail around its link or code, rendered as plain text and HTML.
package struct MailTemplate: Sendable {
    /// Shown at the end of the text.
    let appName: String
    /// The sender's address, without a name.
    let sender: String
    let subject: String
    let intro: String
    let callToAction: CallToAction
    let closing: String
    let colors: Colors

    package init(
        appName: String, sender: String, subject: String, intro: String, callToAction: CallToAction,
        closing: String, colors: Colors
    ) {
        self.appName = appName
        self.sender = sender
        self.subject = subject
        self.intro = intro
        self.callToAction = callToAction
        self.closing = closing
        self.colors = colors
    }

    /// What the recipient has to do.
    package enum CallToAction: Sendable {
        case link(String, button: String)
        /// Digits to be typed.
        case code(String)
        /// Either of the two is sufficient.
        case linkAndCode(String, button: String, code: String)

        var code: String? {
            switch self {
            case .code(let code), .linkAndCode(_, _, let code): code
            case .link: nil
            }
        }

        var link: String? {
            switch self {
            case .link(let link, _), .linkAndCode(let link, _, _): link
            case .code: nil
            }
        }
    }

    /// The app's colors, as CSS.
    package struct Colors: Sendable {
        let button: String
        let link: String

        package init(button: String, link: String) {
            self.button = button
            self.link = link
        }
    }

    /// The mail to `address`, ready to be sealed; its link or code expires after `lifetime`.
    package func makeDraft(
        to address: String, purpose: String, lifetime: Duration, in realm: Realm, id: String,
        at now: Timestamp
    ) -> MailDraft {
        let domain = sender.split(separator: "@").last ?? ""
        return MailDraft(
            id: id, realm: realm, to: address, purpose: purpose, subject: subject,
            code: callToAction.code, link: callToAction.link, expiresAt: now + lifetime,
            sentAt: now, text: text, html: html,
            // The address is validated, so no field can contain a line break (RFC 5322).
            headers: [
                ("Date", Self.headerDate(now)), ("From", "\(appName) <\(sender)>"),
                ("To", "<\(address)>"), ("Subject", subject), ("Message-ID", "<\(id)@\(domain)>"),
                ("MIME-Version", "1.0"), ("Content-Type", "multipart/alternative"),
            ])
    }

    private var text: String {
        let action =
            switch callToAction {
            case .link(let link, _): link
            case .code(let code): code
            case .linkAndCode(let link, _, let code): "\(link)\n\nOr enter this code: \(code)"
            }
        return """
            Hello,

            \(intro)

            \(action)

            \(closing)

            \(appName)

            """
    }

    /// RFC 5322, 3.3: `Sat, 21 Nov 2026 14:35:00 +0000`.
    static func headerDate(_ timestamp: Timestamp) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .weekday], from: timestamp.date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let time = [parts.hour, parts.minute, parts.second].map {
            let digits = String($0 ?? 0)
            return digits.count < 2 ? "0" + digits : digits
        }
        return """
            \(days[(parts.weekday ?? 1) - 1]), \(parts.day ?? 1) \
            \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) \
            \(time.joined(separator: ":")) +0000
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
