/// The known name somebody probably meant.
enum Nearest {
    /// A mend that names the nearest of `known`, or all of them if none is
    /// near.
    static func mend(_ written: String, _ known: [String]) -> String {
        if let name = name(to: written, in: known) {
            return "Did you mean \(name)?"
        }
        guard !known.isEmpty else { return "Take it out." }
        return "Known are: \(known.sorted().joined(separator: ", "))."
    }

    /// About a third of the letters may differ.
    static func name(to written: String, in known: [String]) -> String? {
        let near = known.map { (name: $0, steps: distance(written, $0)) }
            .min { ($0.steps, $0.name) < ($1.steps, $1.name) }
        guard let near, near.steps <= max(1, (written.count + 1) / 3) else {
            return nil
        }
        return near.name
    }

    /// Levenshtein's: insertions, deletions and changes from one to other;
    /// upper and lower case count as the same.
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one.lowercased())
        let other = Array(other.lowercased())
        var row = Array(0...other.count)
        for (i, letter) in one.enumerated() {
            var corner = row[0]
            row[0] = i + 1
            for (j, against) in other.enumerated() {
                let changed = corner + (letter == against ? 0 : 1)
                corner = row[j + 1]
                row[j + 1] = min(changed, corner + 1, row[j] + 1)
            }
        }
        return row[other.count]
    }
}
