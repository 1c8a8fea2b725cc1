/// One source's value of a field: the device's, the token's, or the server's.
package enum SourceValue: Equatable, Sendable {
    /// The source does not have this field.
    case none
    /// The source was not queried, or cannot be; the text says why.
    case unknown(String)
    case value(Content)

    /// A value with its comparison text and its display text.
    package struct Content: Equatable, Sendable {
        /// Compared without regard to case.
        package var compared: String
        package var displayText: String
        /// Whether it is set in a monospaced font: ids, keys.
        package var isCode: Bool
    }

    package static func text(_ text: String?, isCode: Bool = false) -> SourceValue {
        guard let text, !text.isEmpty else { return .none }
        return .value(Content(compared: text, displayText: text, isCode: isCode))
    }

    /// A value whose display text differs from its comparison text.
    package static func content(_ compared: String, shownAs displayText: String) -> SourceValue {
        .value(Content(compared: compared, displayText: displayText, isCode: false))
    }

    package var content: Content? { if case .value(let content) = self { content } else { nil } }

    package var displayText: String {
        switch self {
        case .none: "–"
        case .unknown(let text): text
        case .value(let content): content.displayText
        }
    }
}
