/// What one side holds of a fact: the device, the token, or the server.
enum Side: Equatable, Sendable {
    /// It does not hold that fact.
    case none
    /// It might, but nobody asked it, or it cannot be asked.
    case unknown(String)
    case value(Said)

    /// A value as it is compared and as it is shown.
    struct Said: Equatable, Sendable {
        /// What is compared, without regard to case.
        var compared: String
        var shown: String
        /// Whether it is set in mono: ids, keys.
        var isCode: Bool
    }

    static func text(_ text: String?, code: Bool = false) -> Side {
        guard let text, !text.isEmpty else { return .none }
        return .value(Said(compared: text, shown: text, isCode: code))
    }

    /// A value shown otherwise than it is compared.
    static func said(_ compared: String, as shown: String) -> Side {
        .value(Said(compared: compared, shown: shown, isCode: false))
    }

    var said: Said? { if case .value(let said) = self { said } else { nil } }

    var shown: String {
        switch self {
        case .none: "–"
        case .unknown(let words): words
        case .value(let said): said.shown
        }
    }
}
