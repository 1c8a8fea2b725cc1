import Web

/// What a mailed link of Firebase's is for.
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

    /// What Identity Toolkit calls it.
    var requestType: String {
        switch self {
        case .verify: "VERIFY_EMAIL"
        case .reset: "PASSWORD_RESET"
        }
    }

    /// By name, or by its place in Google's list; nil for those that are not
    /// turned on.
    init?(requestType: String) {
        switch requestType {
        case "PASSWORD_RESET", "1": self = .reset
        case "VERIFY_EMAIL", "4": self = .verify
        default: return nil
        }
    }

    /// The link to be mailed. SDKs read `apiKey`, `oobCode` and `mode`.
    func url(root: String, code: String, apiKey: String, continueURL: String?) -> String {
        var query = [("mode", rawValue), ("lang", "en"), ("oobCode", code), ("apiKey", apiKey)]
        if let continueURL { query.append(("continueUrl", continueURL)) }
        return "\(root)/emulator/action?\(Form.encode(query))"
    }

    /// Whether a page may lead on to `text`: an absolute address of the web.
    static func canContinue(to text: String) -> Bool {
        let address = URLParts(text)
        // It becomes a header field.
        return address.isHTTPURL && address.port != nil
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
