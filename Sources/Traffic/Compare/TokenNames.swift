/// Masked names for the tokens of two exchanges, so that equal ones have
/// equal names and different ones never do.
struct TokenNames {
    private var names: [String: String] = [:]

    init(_ sides: [(ExchangeDetail, [String])]) {
        var taken: [String: Int] = [:]
        for (detail, tokens) in sides {
            for (token, masked) in zip(tokens, detail.tokens) where names[token] == nil {
                let count = taken[masked, default: 0] + 1
                taken[masked] = count
                names[token] = count == 1 ? masked : "\(masked) (\(count))"
            }
        }
    }

    func values(of detail: ExchangeDetail, _ tokens: [String]) -> [String] {
        zip(tokens, detail.tokens).map { names[$0] ?? $1 }
    }
}
