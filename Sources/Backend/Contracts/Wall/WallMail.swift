/// What the mails of Anonymous Wall say around their codes.
struct WallMail: Sendable {
    let subject: String
    let lead: String

    /// The document's one mail.
    static let code = WallMail(
        subject: "Anonymous Wall – your code",
        lead: "Type this code in the app to log in to Anonymous Wall:")

    /// The Micronaut server's mail for a purpose.
    static func campus(_ purpose: Challenge.Purpose) -> WallMail {
        switch purpose {
        case .register:
            WallMail(
                subject: "Campus Wall - Verify Your Email",
                lead: "Type this code in the app to verify your email:")
        case .reset:
            WallMail(
                subject: "Campus Wall - Reset Your Password",
                lead: "Type this code in the app to choose a new password:")
        default:
            WallMail(
                subject: "Campus Wall - Login Code", lead: "Type this code in the app to log in:")
        }
    }

    func words(_ code: String) -> MailWords {
        MailWords(
            app: "Anonymous Wall", sender: "no-reply@anonymouswall.app", subject: subject,
            lead: lead, offer: .code(code),
            rest: "The code works once and for 15 minutes. If you did not "
                + "ask for it, ignore this mail.", look: .init(button: "#0067d9", link: "#0067d9"))
    }
}
