import Core

/// The texts of a contract's mail around its link or code, rendered as plain text and HTML.
struct MailTemplate: Sendable {
    /// Shown at the end of the text.
    let appName: String
    /// The sender's address, without a name.
    let sender: String
    let subject: String
    let intro: String
    let callToAction: CallToAction
    let closing: String
    let colors: Colors

    /// What the recipient has to do.
    enum CallToAction: Sendable {
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
    struct Colors: Sendable {
        let button: String
        let link: String
    }

    /// The mail to `address`, ready to be sealed; its link or code expires after `lifetime`.
    func makeDraft(
        to address: String, purpose: Challenge.Purpose, lifetime: Duration, in realm: Realm,
        id: String,
        at now: Timestamp
    ) -> MailDraft {
        let domain = sender.split(separator: "@").last ?? ""
        return MailDraft(
            id: id, realm: realm, to: address, purpose: purpose.mailPurpose, subject: subject,
            code: callToAction.code, link: callToAction.link, expiresAt: now + lifetime,
            sentAt: now, text: text,
            html: html,
            headers: MailHeaders.fields(
                from: "\(appName) <\(sender)>", to: address, subject: subject,
                id: "\(id)@\(domain)",
                at: now))
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
