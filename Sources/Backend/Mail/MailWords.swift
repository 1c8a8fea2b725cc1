import Surroundings

/// What a contract's mail says around its one link or code, as text and as
/// HTML.
struct MailWords: Sendable {
    /// The app's name, under the text.
    let app: String
    /// The address it comes from, without a name.
    let sender: String
    let subject: String
    let lead: String
    let offer: Offer
    let rest: String
    let look: Look

    /// What somebody can do with the mail.
    enum Offer: Sendable {
        case link(String, button: String)
        /// Digits to be typed.
        case code(String)
        /// Either of them does.
        case both(String, button: String, code: String)

        var code: String? {
            switch self {
            case .code(let code), .both(_, _, let code): code
            case .link: nil
            }
        }

        var link: String? {
            switch self {
            case .link(let link, _), .both(let link, _, _): link
            case .code: nil
            }
        }
    }

    /// Colours of the app, as CSS.
    struct Look: Sendable {
        let button: String
        let link: String
    }

    /// The mail to `address`, ready to be sealed; it ends after `life`.
    func draft(
        to address: String, purpose: Challenge.Purpose, life: Duration, in realm: Realm, id: String,
        at now: Moment
    ) -> MailDraft {
        let domain = sender.split(separator: "@").last ?? ""
        return MailDraft(
            id: id, realm: realm, to: address, purpose: purpose.word, subject: subject,
            code: offer.code, link: offer.link, expiresAt: now + life, sentAt: now, text: text,
            html: html,
            headers: MailHeaders.fields(
                from: "\(app) <\(sender)>", to: address, subject: subject, id: "\(id)@\(domain)",
                at: now))
    }

    private var text: String {
        let thing =
            switch offer {
            case .link(let link, _): link
            case .code(let code): code
            case .both(let link, _, let code): "\(link)\n\nOr enter this code: \(code)"
            }
        return """
            Hello,

            \(lead)

            \(thing)

            \(rest)

            \(app)

            """
    }
}
