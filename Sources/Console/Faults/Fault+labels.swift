import Traffic

/// User-facing names and descriptions of faults.
extension Fault.Kind {
    var name: String {
        switch self {
        case .offline: "Offline"
        case .slow: "Slow"
        case .timeout: "Time-out"
        case .reset: "Connection reset"
        case .status: "Status and body"
        case .rateLimited: "Rate limited"
        case .accessTokenExpired: "Access token expired"
        case .wrongAudience: "Wrong audience"
        case .wrongKey: "Wrong key"
        case .refreshTokenReused: "Refresh token reused"
        case .accountLocked: "Account locked"
        case .codeExpired: "Code expired"
        case .clockSkew: "Clock skew"
        case .mailLost: "Mail lost"
        }
    }

    /// A short description, shown next to the name in the form.
    var explanation: String {
        switch self {
        case .offline: "no network: nothing leaves, nothing comes back"
        case .slow: "every call takes so many seconds longer"
        case .timeout: "no answer comes before the app gives up"
        case .reset: "the connection breaks in the middle"
        case .status: "an answer of your own instead of the backend's"
        case .rateLimited: "429 with Retry-After"
        case .accessTokenExpired: "the access token is sent as one that died"
        case .wrongAudience: "the access token is sent as one for others"
        case .wrongKey: "the access token's signature does not hold"
        case .refreshTokenReused: "somebody used the refresh token before: a stolen session"
        case .accountLocked: "a right password meets a locked account"
        case .codeExpired: "a right code is too late"
        case .clockSkew: "the backend's clock is not the device's"
        case .mailLost: "a mail is sent and never arrives"
        }
    }

    /// The noun for what it affects, singular and plural.
    fileprivate var affectedNoun: (one: String, many: String) {
        switch self {
        case .accessTokenExpired, .wrongAudience, .wrongKey:
            ("call with an access token", "calls with an access token")
        case .refreshTokenReused: ("refresh", "refreshes")
        case .accountLocked: ("right password", "right passwords")
        case .codeExpired: ("right code", "right codes")
        case .mailLost: ("mail", "mails")
        default: ("call", "calls")
        }
    }
}

extension Fault {
    /// `next 2 calls`, `every call`.
    var scopeText: String {
        let noun = kind.affectedNoun
        return switch remaining {
        case nil: "every \(noun.one)"
        case 1: "next \(noun.one)"
        case .some(let count): "next \(count) \(noun.many)"
        }
    }

    /// `The next 2 calls of login in Atlas from this device get no answer.` `app` and `device` are
    /// display names.
    func sentence(app: String?, device: String?) -> String {
        let start = remaining == nil ? scopeText.capitalizedFirst : "The \(scopeText)"
        let scope = [
            draft.call.map { " of \($0)" }, app.map { " in \($0)" }, device.map { " from \($0)" },
        ].compactMap(\.self).joined()
        let isSingular = remaining == nil || remaining == 1
        let phaseText = draft.phase == .after ? ", after the backend did its work" : ""
        return "\(start)\(scope) \(effect(isSingular))\(phaseText)."
    }

    private func effect(_ isSingular: Bool) -> String {
        let be = isSingular ? "is" : "are"
        func verb(_ one: String, _ many: String) -> String { isSingular ? one : many }
        switch kind {
        case .offline: return verb("gets no answer", "get no answer")
        case .slow:
            let delay = Format.seconds(draft.delay ?? Draft.defaultDelay)
            return verb("takes", "take") + " \(delay) longer"
        case .timeout: return verb("runs into its time-out", "run into their time-out")
        case .reset: return "\(be) cut off"
        case .status: return "\(be) answered with \(draft.status ?? 500)"
        case .rateLimited:
            let pause = draft.retryAfter ?? Draft.defaultRetryAfter
            return "\(be) answered with 429 and Retry-After: \(pause)"
        case .accessTokenExpired: return verb("carries", "carry") + " one that has expired"
        case .wrongAudience: return verb("carries", "carry") + " one for somebody else"
        case .wrongKey: return verb("carries", "carry") + " one signed with another key"
        case .refreshTokenReused:
            return verb("presents a token", "present tokens") + " somebody else used before"
        case .accountLocked: return verb("meets", "meet") + " a locked account"
        case .codeExpired: return verb("has", "have") + " just expired"
        case .clockSkew:
            let skew = draft.skew ?? Draft.defaultSkew
            return verb("meets", "meet") + " a clock that is " + Format.exactDuration(abs(skew))
                + (skew > 0 ? " ahead" : " behind")
        case .mailLost: return verb("is sent and never arrives", "are sent and never arrive")
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

    /// `Offline · next 2 calls`.
    var chipText: String {
        let title = kind == .status ? "Status \(draft.status ?? 500)" : kind.name
        return "\(title) · \(scopeText)"
    }

    /// The id of a symbol in `icons.svg`.
    var icon: String {
        switch kind {
        case .offline, .reset: "offline"
        case .slow, .timeout, .clockSkew, .rateLimited: "clock"
        case .mailLost: "mail"
        case .accountLocked: "lock"
        default: "bolt"
        }
    }
}
