import Secrets
import Surroundings

extension ClarityContract {
    static let verificationLife: Duration = .seconds(86_400)
    static let resetLife: Duration = .seconds(3_600)

    /// The letter whose link does what `link` says.
    func letter(
        _ link: ClarityLink, to address: String, account: String?, continueURL: String?,
        in realm: Realm
    ) throws -> Letter {
        let code = Opaque.secret(premises.world)
        let href = link.address(
            root: premises.root(of: realm), code: code, apiKey: apiKey, continueURL: continueURL)
        return try premises.letter(
            Self.words(link, href), digest: Digest.sha256(code), purpose: link.purpose,
            life: Self.life(link), to: address, account: account, in: realm)
    }

    private static func life(_ link: ClarityLink) -> Duration {
        switch link {
        case .verify: verificationLife
        case .reset: resetLife
        }
    }

    private static func words(_ link: ClarityLink, _ href: String) -> MailWords {
        switch link {
        case .verify:
            words(
                subject: "Verify your email for CLARITY Pulse",
                lead: "Follow this link to verify your email address:",
                offer: .link(href, button: "Verify email"),
                rest: "The link works once and for 24 hours. If you did not "
                    + "register, ignore this mail.")
        case .reset:
            words(
                subject: "Reset your password for CLARITY Pulse",
                lead: "Follow this link to choose a new password:",
                offer: .link(href, button: "Choose a new password"),
                rest: "The link works once and for one hour. If you did not "
                    + "ask for it, ignore this mail: nothing changes.")
        }
    }

    static func words(subject: String, lead: String, offer: MailWords.Offer, rest: String)
        -> MailWords
    {
        MailWords(
            app: "CLARITY Pulse", sender: "noreply@\(projectID).firebaseapp.com", subject: subject,
            lead: lead, offer: offer, rest: rest, look: .init(button: "#0067d9", link: "#0067d9"))
    }

    /// The mail that brings a code of the Cognito backend's.
    static func words(_ code: String, for purpose: Challenge.Purpose) -> MailWords {
        purpose == .resetCode
            ? words(
                subject: "Your code to reset your CLARITY Pulse password",
                lead: "This code lets you choose a new password:", offer: .code(code),
                rest: "The code works once and for one hour. If you did not "
                    + "ask for it, ignore this mail: nothing changes.")
            : words(
                subject: "Your CLARITY Pulse verification code",
                lead: "This code verifies your email address:", offer: .code(code),
                rest: "The code works once and for 24 hours. If you did not "
                    + "register, ignore this mail.")
    }
}
