/// Masked names for the tokens of two exchanges: equal tokens get equal names, different tokens
/// different ones.
struct TokenNames {
    private var names: [String: String] = [:]

    init(_ exchanges: [(ExchangeDetail, [String])]) {
        var counts: [String: Int] = [:]
        for (detail, tokens) in exchanges {
            for (token, masked) in zip(tokens, detail.tokens) where names[token] == nil {
                let count = counts[masked, default: 0] + 1
                counts[masked] = count
                names[token] = count == 1 ? masked : "\(masked) (\(count))"
            }
        }
    }

    func values(of detail: ExchangeDetail, _ tokens: [String]) -> [String] {
        zip(tokens, detail.tokens).map { names[$0] ?? $1 }
    }
}
