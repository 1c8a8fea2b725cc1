/// Detection of text that a full-text search cannot match: its terms are letters and digits.
extension String {
    /// Whether the text is not blank and has no letter and no digit.
    package var isSymbolsOnly: Bool {
        contains { !$0.isWhitespace } && !contains { $0.isLetter || $0.isNumber }
    }
}
