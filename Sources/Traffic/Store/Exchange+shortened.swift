extension Exchange {
    /// A text of a list's exchange with `…` for each token: which one it was
    /// is told by the exchange itself.
    package static func shortened(_ text: String) -> String {
        Redaction.fill(text, with: Array(repeating: "…", count: Redaction.mostTokens))
    }
}
