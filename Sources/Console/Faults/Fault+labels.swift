import Traffic
import Web

/// User-facing names and descriptions of faults.
extension Fault.Kind {
    var name: String { texts.name }
    /// A short description, shown next to the name in the form.
    var explanation: String { texts.explanation }

    /// `icon` is the id of a symbol in `icons.svg`.
    fileprivate var texts: (name: String, explanation: String, icon: String) {
        switch self {
        case .offline: ("Offline", "no network connection", "offline")
        case .slow: ("Slow", "adds a delay to each request", "clock")
        case .timeout: ("Timeout", "no response before the call's timeout", "clock")
        case .reset: ("Connection reset", "the connection closes before the response", "offline")
        case .status: ("Status and body", "a custom response instead of the backend's", "bolt")
        case .rateLimited: ("Rate limited", "429 with Retry-After", "clock")
        case .accessTokenExpired:
            ("Access token expired", "the access token is sent as expired", "bolt")
        case .wrongAudience:
            ("Wrong audience", "the access token is sent with a wrong audience", "bolt")
        case .wrongKey:
            ("Wrong key", "the access token is sent with an invalid signature", "bolt")
        case .refreshTokenReused:
            (
                "Refresh token reused", "the refresh token was already used: a stolen session",
                "bolt"
            )
        case .accountLocked: ("Account locked", "correct password, locked account", "lock")
        case .codeExpired: ("Code expired", "correct code, expired", "bolt")
        case .clockSkew:
            ("Clock skew", "the backend's clock differs from the device's", "clock")
        case .mailLost: ("Mail lost", "a message is sent but not delivered", "mail")
        }
    }

    /// The noun for what it affects, singular and plural.
    fileprivate var affectedNoun: (one: String, many: String) {
        switch self {
        case .accessTokenExpired, .wrongAudience, .wrongKey:
            ("request with an access token", "requests with an access token")
        case .refreshTokenReused: ("refresh", "refreshes")
        case .accountLocked: ("correct password", "correct passwords")
        case .codeExpired: ("correct code", "correct codes")
        case .mailLost: ("message", "messages")
        default: ("request", "requests")
        }
    }
}

extension Fault {
    /// `next 2 requests`, `every request`.
    var scopeText: String {
        let noun = kind.affectedNoun
        return switch remaining {
        case nil: "every \(noun.one)"
        case 1: "next \(noun.one)"
        case .some(let count): "next \(count) \(noun.many)"
        }
    }

    /// `The next 2 requests for login in Atlas from Device 1 get no response.` `app` and `device`
    /// are display names.
    func sentence(app: String?, device: String?) -> String {
        let start = remaining == nil ? scopeText.capitalizedFirst : "The \(scopeText)"
        let scope = [
            draft.call.map { " for \($0)" }, app.map { " in \($0)" }, device.map { " from \($0)" },
        ].compactMap(\.self).joined()
        let isSingular = remaining == nil || remaining == 1
        let phaseText = draft.phase == .after ? ", after server processing" : ""
        return "\(start)\(scope) \(effect(isSingular))\(phaseText)."
    }

    private func effect(_ isSingular: Bool) -> String {
        let s = isSingular ? "s" : ""
        let be = isSingular ? "is" : "are"
        switch kind {
        case .offline: return "get\(s) no response"
        case .slow: return "take\(s) \(Format.seconds(draft.delay ?? Draft.defaultDelay)) longer"
        case .timeout: return "time\(s) out"
        case .reset: return "fail\(s) with a connection reset"
        case .status: return "get\(s) status \(draft.status ?? 500)"
        case .rateLimited:
            let pause = draft.retryAfter ?? Draft.defaultRetryAfter
            return "get\(s) status 429 and Retry-After: \(pause)"
        case .accessTokenExpired: return "\(be) sent with an expired one"
        case .wrongAudience: return "\(be) sent with one for another audience"
        case .wrongKey: return "\(be) sent with one signed with another key"
        case .refreshTokenReused:
            return (isSingular ? "uses a token" : "use tokens") + " that was already used"
        case .accountLocked: return "\(be) rejected: the account is locked"
        case .codeExpired: return "\(be) rejected as expired"
        case .clockSkew:
            let skew = draft.skew ?? Draft.defaultSkew
            return "\(be) processed with a clock \(Format.exactDuration(abs(skew))) "
                + (skew > 0 ? "ahead" : "behind")
        case .mailLost: return "\(be) sent but not delivered"
        }
    }

    /// `1 of 3 used, last by POST /auth/login at 14:37:26.`; empty before the first application.
    /// `call` is the last affected call.
    func usage(_ call: String?) -> String {
        guard let affected = lastAffected, let call else { return "" }
        let count =
            draft.times.map { "\(appliedCount) of \($0) used" } ?? "Used "
            + (appliedCount == 1 ? "once" : "\(appliedCount) times")
        return "\(count), last by \(call) at \(Format.dateTime(affected.at))."
    }

    /// `Offline · next 2 requests`.
    var chipText: String {
        let title = kind == .status ? "Status \(draft.status ?? 500)" : kind.name
        return "\(title) · \(scopeText)"
    }

    var icon: String { kind.texts.icon }
}
