import TableSchemas

/// The names that the servers' hints suggest for unknown ones.
enum SimilarName {
    /// Longer texts are no misspelled names, and the comparison is quadratic.
    private static let maxLength = 63

    /// The most similar name; nil if none has at least this share of equal characters.
    static func best(_ written: String, of names: [String], _ minimum: Double) -> String? {
        guard written.count <= maxLength, !written.isEmpty else { return nil }
        let scores = names.map { name in
            let length = Double(max(name.count, written.count))
            return (name, 1 - Double(distance(written.lowercased(), name.lowercased())) / length)
        }
        guard let best = scores.max(by: { $0.1 < $1.1 }), best.1 >= minimum else { return nil }
        return best.0
    }

    /// PostgreSQL's hint for an unknown column: the nearest one, or both of two that are as near.
    static func columnHint(_ written: String, of schema: TableSchema) -> String? {
        guard written.count <= maxLength else { return nil }
        let near = schema.columns.map { ($0.name, distance(written, $0.name)) }.filter {
            // At most three changes, and at most half of the name.
            $0.1 <= 3 && $0.1 <= $0.0.count / 2
        }
        let nearest = near.map(\.1).min()
        let names = near.filter { $0.1 == nearest }.map { "\"\(schema.name).\($0.0)\"" }
        guard (1...2).contains(names.count) else { return nil }
        return "Perhaps you meant to reference the column "
            + names.joined(separator: " or the column ") + "."
    }

    /// The number of insertions, deletions and substitutions (Levenshtein).
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var next = [index + 1]
            for (column, other) in second.enumerated() {
                next.append(
                    min(
                        row[column] + (letter == other ? 0 : 1), row[column + 1] + 1,
                        next[column] + 1))
            }
            row = next
        }
        return row[second.count]
    }
}
