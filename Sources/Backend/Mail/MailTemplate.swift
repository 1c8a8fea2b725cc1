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
            headers: MailHeaders.fields(
                from: "\(appName) <\(sender)>", to: address, subject: subject,
                id: "\(id)@\(domain)", at: now))
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
}

/// The header fields the mail would be sent with (RFC 5322).
enum MailHeaders {
    /// `to` is a validated address, so no field can contain a line break.
    static func fields(from: String, to: String, subject: String, id: String, at now: Timestamp)
        -> [(name: String, value: String)]
    {
        [
            ("Date", date(now)), ("From", from), ("To", "<\(to)>"), ("Subject", subject),
            ("Message-ID", "<\(id)>"), ("MIME-Version", "1.0"),
            ("Content-Type", "multipart/alternative"),
        ]
    }

    /// RFC 5322, 3.3: `Sat, 21 Nov 2026 14:35:00 +0000`.
    static func date(_ timestamp: Timestamp) -> String {
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
