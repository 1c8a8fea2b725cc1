/// What one side holds of a fact: the device, the token, or the server.
enum SourceValue: Equatable, Sendable {
    /// It does not hold that fact.
    case none
    /// It might, but nobody asked it, or it cannot be asked.
    case unknown(String)
    case value(Content)

    /// A value as it is compared and as it is shown.
    struct Content: Equatable, Sendable {
        /// What is compared, without regard to case.
        var compared: String
        var displayText: String
        /// Whether it is set in mono: ids, keys.
        var isCode: Bool
    }

    static func text(_ text: String?, isCode: Bool = false) -> SourceValue {
        guard let text, !text.isEmpty else { return .none }
        return .value(Content(compared: text, displayText: text, isCode: isCode))
    }

    /// A value shown otherwise than it is compared.
    static func content(_ compared: String, shownAs shown: String) -> SourceValue {
        .value(Content(compared: compared, displayText: shown, isCode: false))
    }

    var content: Content? { if case .value(let said) = self { said } else { nil } }

    var displayText: String {
        switch self {
        case .none: "–"
        case .unknown(let words): words
        case .value(let said): said.displayText
        }
    }
}
