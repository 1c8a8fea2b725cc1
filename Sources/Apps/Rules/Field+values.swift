package import Web

extension Field {
    /// What a form sent, as rules and calls see it: trimmed if the field
    /// trims (white space as ECMAScript has it).
    package func normalized(_ value: String) -> String {
        trimsWhitespace ? Self.trimmed(value) : value
    }

    /// What a value is known by: an e-mail address is the same one in
    /// capitals and with blanks around it.
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

    /// A form sends a toggle that is on as `on`, `true` or `1`, and one that
    /// is off not at all.
    package static func isOn(_ value: String) -> Bool {
        value == "on" || value == "true" || value == "1"
    }

    /// Whether somebody put something in: a toggle is on, another not empty.
    func isFilled(_ value: String) -> Bool { type == .toggle ? Self.isOn(value) : !value.isEmpty }

    /// The value as a call's variable: a toggle is a truth, the others text.
    package func variableValue(_ value: String) -> JSON {
        type == .toggle ? .bool(Self.isOn(value)) : .string(normalized(value))
    }
}
