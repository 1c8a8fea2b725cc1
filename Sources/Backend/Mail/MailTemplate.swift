import Core

/// What a contract's mail says around its one link or code, as text and as
/// HTML.
struct MailTemplate: Sendable {
    /// The app's name, under the text.
    let appName: String
    /// The address it comes from, without a name.
    let sender: String
    let subject: String
    let intro: String
    let callToAction: CallToAction
    let closing: String
    let colors: Colors

    /// What somebody can do with the mail.
    enum CallToAction: Sendable {
        case link(String, button: String)
        /// Digits to be typed.
        case code(String)
        /// Either of them does.
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

    /// Colours of the app, as CSS.
    struct Colors: Sendable {
        let button: String
        let link: String
    }

    /// The mail to `address`, ready to be sealed; it ends after `life`.
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
        let thing =
            switch callToAction {
            case .link(let link, _): link
            case .code(let code): code
            case .linkAndCode(let link, _, let code): "\(link)\n\nOr enter this code: \(code)"
            }
        return """
            Hello,

            \(intro)

            \(thing)

            \(closing)

            \(appName)

            """
    }
}
