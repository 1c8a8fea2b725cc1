/// What a search cannot look for: words are letters and digits.
extension String {
    /// Whether there is something in it, but no letter and no digit.
    package var isSymbolsOnly: Bool {
        contains { !$0.isWhitespace } && !contains { $0.isLetter || $0.isNumber }
    }
}
