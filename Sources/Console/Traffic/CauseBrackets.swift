import Traffic

/// Groups adjacent rows of a list whose exchanges share a root cause.
enum CauseBrackets {
    /// For each row `first`, `middle`, `last`, or empty. Rows are grouped if they are adjacent and
    /// share a root exchange, whether or not it is on this page.
    static func brackets(_ exchanges: [Exchange]) -> [String] {
        let causes = Dictionary(
            exchanges.map { ($0.id, $0.causeExchange) }, uniquingKeysWith: { first, _ in first })
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

    /// The loop is bounded, so that a cycle (which should not exist) terminates too.
    private static func root(of id: String, _ causes: [String: String?]) -> String {
        var root = id
        for _ in 0..<causes.count {
            guard case .some(.some(let cause)) = causes[root] else { break }
            root = cause
        }
        return root
    }
}
