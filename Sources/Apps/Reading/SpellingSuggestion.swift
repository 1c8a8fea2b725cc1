/// Suggests the known name closest to a misspelled one.
enum SpellingSuggestion {
    /// A fix that names the nearest of `candidates`, or all of them if none is near.
    static func fix(_ written: String, _ candidates: [String], label: String = "Valid values")
        -> String
    {
        if let name = nearestName(to: written, in: candidates) { return "Did you mean \(name)?" }
        guard !candidates.isEmpty else { return "Remove it." }
        return "\(label): \(Set(candidates).sorted().joined(separator: ", "))."
    }

    /// Keys and values of earlier manifest versions, with what replaced them.
    private static let renamedNames = [
        "like": ["extends"], "messageAt": ["messagePointers"],
        "fieldMessageAt": ["fieldMessagePointers"], "otherwise": ["onFailure", "default"],
        "lost": ["expired"], "renew": ["refresh"], "ground": ["background"],
        "passes": ["treatAsSuccess"],
    ]

    /// The new name of a renamed one, or the nearest of `candidates`; about a third of the letters
    /// may differ.
    static func nearestName(to written: String, in candidates: [String]) -> String? {
        if let name = renamedNames[written]?.first(where: candidates.contains) { return name }
        // No name is that long, and the comparison is quadratic.
        guard written.utf8.count <= 100 else { return nil }
        let nearest = candidates.map { (name: $0, steps: editDistance(written, $0)) }.min {
            ($0.steps, $0.name) < ($1.steps, $1.name)
        }
        guard let nearest, nearest.steps <= max(1, (written.count + 1) / 3) else { return nil }
        return nearest.name
    }

    /// Damerau–Levenshtein distance, case-insensitive: an insertion, deletion, substitution or swap
    /// of neighbors costs one.
    private static func editDistance(_ first: String, _ second: String) -> Int {
        let first = Array(first.lowercased())
        let second = Array(second.lowercased())
        var rowBefore: [Int] = []
        var row = Array(0...second.count)
        for (i, letter) in first.enumerated() {
            var next = [i + 1]
            for (j, otherLetter) in second.enumerated() {
                var steps = min(
                    row[j] + (letter == otherLetter ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, letter == second[j - 1], otherLetter == first[i - 1] {
                    steps = min(steps, rowBefore[j - 1] + 1)
                }
                next.append(steps)
            }
            (rowBefore, row) = (row, next)
        }
        return row[second.count]
    }
}
