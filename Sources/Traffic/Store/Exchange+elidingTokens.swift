extension Exchange {
    /// A text of a list's exchange with `…` for each token: which one it was
    /// is told by the exchange itself.
    package static func elidingTokens(_ text: String) -> String {
        Redaction.fillPlaceholders(text, with: Array(repeating: "…", count: Redaction.maxTokens))
    }
}
