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
