import Inspection

/// Which parts of a family are drawn and which are folded.
extension FamilyLayout {
    /// A drawn generation.
    struct Column {
        var node: Family.Node
        /// Number of folded generations before it.
        var hiddenBefore: Int
    }

    /// Number of generations drawn; the others are folded.
    private static let visibleCount = 4
    /// How many of these may be older ones that a branch starts from.
    private static let maxOrigins = 2
    /// Number of branches drawn, the newest first.
    private static let maxBranches = 3

    /// The newest generations, and the older ones that a drawn branch starts from: a reuse is shown
    /// at its origin, however old.
    static func columns(of family: Family) -> [Column] {
        let nodes = family.nodes
        let prioritized =
            family.branches.filter(\.endsFamily)
            + family.branches.filter { !$0.endsFamily }.reversed()
        var indices = Set(nodes.indices.suffix(visibleCount))
        for branch in prioritized.prefix(maxBranches) {
            guard let index = nodes.firstIndex(where: { $0.generation == branch.generation }),
                !indices.contains(index)
            else { continue }
            let older = indices.filter { $0 < nodes.count - visibleCount }
            guard older.count < maxOrigins else { break }
            // Removes the oldest of the newest instead.
            let newest = indices.filter { $0 >= nodes.count - visibleCount }
            if let first = newest.min() { indices.remove(first) }
            indices.insert(index)
        }
        var last = -1
        return indices.sorted().map { index in
            defer { last = index }
            return Column(node: nodes[index], hiddenBefore: index - last - 1)
        }
    }

    /// The branches of drawn generations. Those that ended the family are first, so that nothing is
    /// drawn between them and the end.
    static func visibleBranches(of family: Family, _ columns: [Column]) -> [Family.Branch] {
        let drawn = Set(columns.map(\.node.generation))
        let candidates = family.branches.filter { drawn.contains($0.generation) }
        let ending = candidates.filter(\.endsFamily)
        return ending
            + candidates.filter { !$0.endsFamily }.suffix(
                maxBranches - min(ending.count, maxBranches))
    }
}
