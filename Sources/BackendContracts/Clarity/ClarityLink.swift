import Backend
import Web

/// The purpose of a link mailed by Firebase.
enum ClarityLink: String, Sendable, CaseIterable {
    /// The raw value is the link's `mode`.
    case verify = "verifyEmail"
    case reset = "resetPassword"

    var purpose: Challenge.Purpose {
        switch self {
        case .verify: .verify
        case .reset: .reset
        }
    }

    /// Identity Toolkit's name of the purpose.
    var requestType: String {
        switch self {
        case .verify: "VERIFY_EMAIL"
        case .reset: "PASSWORD_RESET"
        }
    }

    /// By name, or by its number in Google's enumeration. Nil for types that are not enabled.
    init?(requestType: String) {
        switch requestType {
        case "PASSWORD_RESET", "1": self = .reset
        case "VERIFY_EMAIL", "4": self = .verify
        default: return nil
        }
    }

    /// The URL to be mailed. SDKs read `apiKey`, `oobCode` and `mode`.
    func url(root: String, code: String, apiKey: String, continueURL: String?) -> String {
        var query = [("mode", rawValue), ("lang", "en"), ("oobCode", code), ("apiKey", apiKey)]
        if let continueURL { query.append(("continueUrl", continueURL)) }
        return "\(root)/emulator/action?\(Form.encode(query))"
    }

    /// Whether a page may continue to `text`, which must be an absolute HTTP URL.
    static func canContinue(to text: String) -> Bool {
        let address = URLParts(text)
        // The text becomes a header field.
        return address.isHTTPURL && address.port != nil
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The texts of the pages behind Clarity's links.
enum ClarityPages {
    private static let appName = "CLARITY Pulse"

    static func page(_ link: ClarityLink, _ state: LinkState, continueURL: String? = nil)
        -> EmailActionPage
    {
        var page: EmailActionPage =
            switch link {
            case .verify:
                .verification(
                    state, appName: appName,
                    verifiedText: "Thank you. Go back to the app and tap I've Verified My Email.",
                    alreadyVerifiedText: "This link was used before: your email is verified.",
                    retryText: "For a new one, open the app and choose Resend Email.")
            case .reset:
                .passwordReset(
                    state, appName: appName,
                    retryText: "For a new one, ask the app to reset your password again.")
            }
        if state == .completed || state == .alreadyVerified { page.continueURL = continueURL }
        return page
    }

    /// The form for a new password, with the `code` of the link.
    static func newPasswordForm(code: String, continueURL: String?, error: String? = nil)
        -> EmailActionPage
    {
        var hiddenFields = [(name: "oobCode", value: code)]
        if let url = continueURL { hiddenFields.append(("continueUrl", url)) }
        return .newPasswordForm(
            appName: appName, action: "action", hiddenFields: hiddenFields, field: "newPassword",
            rule: ClarityContract.passwordRule, error: error)
    }
}
