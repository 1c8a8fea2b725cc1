import Traffic

/// Joins the rows of a list whose exchanges caused each other.
enum CauseBrackets {
    /// For each row `first`, `middle`, `last`, or empty: rows are joined when
    /// they go back to one exchange, on this page or not, and stand together.
    static func brackets(_ exchanges: [Exchange]) -> [String] {
        let causes = Dictionary(
            exchanges.map { ($0.id, $0.causeExchange) }, uniquingKeysWith: { one, _ in one })
        let roots = exchanges.map { root(of: $0.id, causes) }
        return roots.indices.map { index in
            let above = index > 0 && roots[index - 1] == roots[index]
            let below = index + 1 < roots.count && roots[index + 1] == roots[index]
            return switch (above, below) {
            case (false, true): "first"
            case (true, true): "middle"
            case (true, false): "last"
            case (false, false): ""
            }
        }
    }

    /// Causes are bounded, so that a circle in them (which none should be)
    /// ends too.
    private static func root(of id: String, _ causes: [String: String?]) -> String {
        var root = id
        for _ in 0..<causes.count {
            guard case .some(.some(let cause)) = causes[root] else { break }
            root = cause
        }
        return root
    }
}
