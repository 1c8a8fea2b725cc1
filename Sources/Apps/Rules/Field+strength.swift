extension Field {
    /// How hard a password is to guess, as far as its looks tell: 1 for the
    /// first of `strength`'s words, 0 for nothing typed or nothing to say.
    package func strength(of value: String) -> Int {
        guard !strength.isEmpty, !value.isEmpty else { return 0 }
        let points = Self.signs.count { $0(value) }
        return min(strength.count, 1 + points * strength.count / 6)
    }

    private static let signs: [@Sendable (String) -> Bool] = [
        { $0.unicodeScalars.count >= 8 }, { $0.unicodeScalars.count >= 12 },
        { $0.contains(where: \.isLowercase) && $0.contains(where: \.isUppercase) },
        { $0.contains(where: \.isNumber) }, { $0.contains { !$0.isLetter && !$0.isNumber } },
    ]
}
