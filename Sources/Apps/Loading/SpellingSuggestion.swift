/// The known name somebody probably meant.
enum SpellingSuggestion {
    /// A mend that names the nearest of `known`, or all of them if none is
    /// near.
    static func fix(_ written: String, _ known: [String]) -> String {
        if let name = nearestName(to: written, in: known) { return "Did you mean \(name)?" }
        guard !known.isEmpty else { return "Take it out." }
        return "Known are: \(known.sorted().joined(separator: ", "))."
    }

    /// About a third of the letters may differ.
    static func nearestName(to written: String, in known: [String]) -> String? {
        // No name is so long, and every letter is compared with every other.
        guard written.utf8.count <= 100 else { return nil }
        let near = known.map { (name: $0, steps: editDistance(written, $0)) }.min {
            ($0.steps, $0.name) < ($1.steps, $1.name)
        }
        guard let near, near.steps <= max(1, (written.count + 1) / 3) else { return nil }
        return near.name
    }

    /// Levenshtein's with neighbours that changed places as one step:
    /// insertions, deletions, changes and swaps from one to other; upper and
    /// lower case count as the same.
    private static func editDistance(_ one: String, _ other: String) -> Int {
        let one = Array(one.lowercased())
        let other = Array(other.lowercased())
        var earlier: [Int] = []
        var row = Array(0...other.count)
        for (i, letter) in one.enumerated() {
            var next = [i + 1]
            for (j, against) in other.enumerated() {
                var steps = min(row[j] + (letter == against ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, letter == other[j - 1], against == one[i - 1] {
                    steps = min(steps, earlier[j - 1] + 1)
                }
                next.append(steps)
            }
            (earlier, row) = (row, next)
        }
        return row[other.count]
    }
}
