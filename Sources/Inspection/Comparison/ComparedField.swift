/// One field of a session, with its value on the device, in the token and at the server.
package struct ComparedField: Equatable, Sendable {
    /// Name in the API and suffix of the test id: `state`, `user`, `email`.
    package var id: String
    /// `Email verified`.
    package var name: String
    package var deviceValue = SourceValue.none
    package var tokenValue = SourceValue.none
    package var serverValue = SourceValue.none
    /// Whether differing values are a discrepancy. Times of different events are not compared.
    var isCompared = true
    package var discrepancy: Discrepancy?

    private var contents: [SourceValue.Content] {
        [deviceValue, tokenValue, serverValue].compactMap(\.content)
    }

    private var distinctValues: Set<String> { Set(contents.map { $0.compared.lowercased() }) }

    /// Whether at least two sources have a value and all values are equal.
    package var isAgreed: Bool {
        isCompared && discrepancy == nil && contents.count > 1 && distinctValues.count == 1
    }

    /// Whether any source has a value.
    var hasValue: Bool { !contents.isEmpty }

    /// Whether two sources have different values.
    package var differs: Bool { isCompared && distinctValues.count > 1 }

    /// The field with a discrepancy if its values differ; `outlier` is the deviating source.
    func explained(
        _ kind: Discrepancy.Kind, outlier: Discrepancy.Source? = nil, _ explanation: String,
        fix: String
    ) -> ComparedField {
        guard differs else { return self }
        var field = self
        field.discrepancy = Discrepancy(kind, outlier ?? self.outlier, explanation, fix: fix)
        return field
    }

    /// The deviating source. With only two values, the server's is right; without the server's, the
    /// token's deviates.
    var outlier: Discrepancy.Source {
        let texts = [deviceValue, tokenValue, serverValue].map { $0.content?.compared.lowercased() }
        if let serverText = texts[2] {
            return texts[1] == nil || texts[1] == serverText ? .device : .token
        }
        return texts[0] == nil || texts[1] == nil ? .token : .device
    }
}

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
