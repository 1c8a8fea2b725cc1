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
