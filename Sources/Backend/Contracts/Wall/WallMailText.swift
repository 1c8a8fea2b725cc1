/// The texts of Anonymous Wall's mails.
struct WallMailText: Sendable {
    let subject: String
    let intro: String

    /// The specification's only mail.
    static let code = WallMailText(
        subject: "Anonymous Wall – your code",
        intro: "Type this code in the app to log in to Anonymous Wall:")

    /// The Micronaut server's mail for a purpose.
    static func micronaut(_ purpose: Challenge.Purpose) -> WallMailText {
        switch purpose {
        case .register:
            WallMailText(
                subject: "Campus Wall - Verify Your Email",
                intro: "Type this code in the app to verify your email:")
        case .reset:
            WallMailText(
                subject: "Campus Wall - Reset Your Password",
                intro: "Type this code in the app to choose a new password:")
        default:
            WallMailText(
                subject: "Campus Wall - Login Code", intro: "Type this code in the app to log in:")
        }
    }

    func makeTemplate(code: String) -> MailTemplate {
        MailTemplate(
            appName: "Anonymous Wall", sender: "no-reply@anonymouswall.app", subject: subject,
            intro: intro, callToAction: .code(code),
            closing: "The code works once and for 15 minutes. If you did not "
                + "ask for it, ignore this mail.", colors: .init(button: "#0067d9", link: "#0067d9")
        )
    }
}
