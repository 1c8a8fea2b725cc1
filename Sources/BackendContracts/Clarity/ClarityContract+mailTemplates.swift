import Backend
import Core
import Crypto

extension ClarityContract {
    static let verificationLifetime: Duration = .seconds(86_400)
    static let resetLifetime: Duration = .seconds(3_600)

    /// The mail with the link for this action.
    func makeMail(
        _ link: ClarityLink, to address: String, account: String?, continueURL: String?,
        in realm: Realm
    ) throws -> OutgoingMail {
        let code = RandomTokens.secret(services.world)
        let href = link.url(
            root: services.rootURL(of: realm), code: code, apiKey: apiKey, continueURL: continueURL)
        return try services.makeMail(
            Self.makeMailTemplate(link, href), digest: Digest.sha256(code), purpose: link.purpose,
            lifetime: Self.lifetime(of: link), to: address, account: account, in: realm)
    }

    private static func lifetime(of link: ClarityLink) -> Duration {
        switch link {
        case .verify: verificationLifetime
        case .reset: resetLifetime
        }
    }

    private static func makeMailTemplate(_ link: ClarityLink, _ href: String) -> MailTemplate {
        switch link {
        case .verify:
            makeMailTemplate(
                subject: "Verify your email for CLARITY Pulse",
                intro: "Follow this link to verify your email address:",
                callToAction: .link(href, button: "Verify email"),
                closing: "The link works once and for 24 hours. If you did not "
                    + "register, ignore this mail.")
        case .reset:
            makeMailTemplate(
                subject: "Reset your password for CLARITY Pulse",
                intro: "Follow this link to choose a new password:",
                callToAction: .link(href, button: "Choose a new password"),
                closing: "The link works once and for one hour. If you did not "
                    + "ask for it, ignore this mail: nothing changes.")
        }
    }

    static func makeMailTemplate(
        subject: String, intro: String, callToAction: MailTemplate.CallToAction, closing: String
    )
        -> MailTemplate
    {
        MailTemplate(
            appName: "CLARITY Pulse", sender: "noreply@\(projectID).firebaseapp.com",
            subject: subject,
            intro: intro, callToAction: callToAction, closing: closing,
            colors: .init(button: "#0067d9", link: "#0067d9"))
    }

    /// The mail with a code of the Cognito backend.
    static func makeMailTemplate(_ code: String, for purpose: Challenge.Purpose) -> MailTemplate {
        purpose == .resetCode
            ? makeMailTemplate(
                subject: "Your code to reset your CLARITY Pulse password",
                intro: "This code lets you choose a new password:", callToAction: .code(code),
                closing: "The code works once and for one hour. If you did not "
                    + "ask for it, ignore this mail: nothing changes.")
            : makeMailTemplate(
                subject: "Your CLARITY Pulse verification code",
                intro: "This code verifies your email address:", callToAction: .code(code),
                closing: "The code works once and for 24 hours. If you did not "
                    + "register, ignore this mail.")
    }
}
