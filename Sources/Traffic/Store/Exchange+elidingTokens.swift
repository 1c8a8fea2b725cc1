extension Exchange {
    /// Replaces each token placeholder in a text of a listed exchange with `…`. Masked tokens are
    /// only in `ExchangeDetail`.
    package static func elidingTokens(_ text: String) -> String {
        Redaction.fillPlaceholders(text, with: Array(repeating: "…", count: Redaction.maxTokens))
    }
}
