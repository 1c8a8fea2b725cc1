package import Web

extension Field {
    /// A submitted value as rules and calls use it: trimmed if the field trims (ECMAScript's white
    /// space).
    package func normalized(_ value: String) -> String {
        trimsWhitespace ? Self.trimmed(value) : value
    }

    /// The value as an identity: an email address is trimmed and lowercased.
    package func identityKey(_ value: String) -> String {
        type == .email ? Self.trimmed(value).lowercased() : normalized(value)
    }

    private static func trimmed(_ value: String) -> String {
        guard !value.isEmpty else { return value }
        let scalars = value.unicodeScalars
        let isSpace = ScalarSet.whitespace.contains
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    /// A form submits an enabled toggle as `on`, `true` or `1`, and omits a disabled one.
    package static func isOn(_ value: String) -> Bool {
        value == "on" || value == "true" || value == "1"
    }

    /// Whether a toggle is on, or another field is not empty.
    func isFilled(_ value: String) -> Bool { type == .toggle ? Self.isOn(value) : !value.isEmpty }

    /// The value as a call's variable: a boolean for a toggle, text for other fields.
    package func variableValue(_ value: String) -> JSON {
        type == .toggle ? .bool(Self.isOn(value)) : .string(normalized(value))
    }
}

extension Field {
    /// The strength of a password by its length and character classes: 1 for the first of
    /// `strengthLabels`, 0 for an empty value or without labels.
    package func strengthLevel(of value: String) -> Int {
        guard !strengthLabels.isEmpty, !value.isEmpty else { return 0 }
        let points = Self.strengthChecks.count { $0(value) }
        return min(strengthLabels.count, 1 + points * strengthLabels.count / 6)
    }

    private static let strengthChecks: [@Sendable (String) -> Bool] = [
        { $0.unicodeScalars.count >= 8 }, { $0.unicodeScalars.count >= 12 },
        { $0.contains(where: \.isLowercase) && $0.contains(where: \.isUppercase) },
        { $0.contains(where: \.isNumber) }, { $0.contains { !$0.isLetter && !$0.isNumber } },
    ]
}
