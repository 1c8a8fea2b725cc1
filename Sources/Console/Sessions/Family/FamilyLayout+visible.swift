/// What of a family is drawn, and what is folded.
extension FamilyLayout {
    /// A generation that is drawn.
    struct Column {
        var node: Family.Node
        /// Generations folded between it and the one drawn before.
        var hiddenBefore: Int
    }

    /// Generations drawn; others are folded.
    private static let visibleCount = 4
    /// Of these, so many may be older ones that a branch leaves.
    private static let maxOrigins = 2
    /// Branches drawn, the newest.
    private static let maxBranches = 3

    /// The newest, and before them those that a drawn branch leaves: a reuse
    /// is told where it began, however long ago that was.
    var columns: [Column] {
        let nodes = family.nodes
        let told =
            family.branches.filter(\.endsFamily)
            + family.branches.filter { !$0.endsFamily }.reversed()
        var indices = Set(nodes.indices.suffix(Self.visibleCount))
        for branch in told.prefix(Self.maxBranches) {
            guard let index = nodes.firstIndex(where: { $0.generation == branch.generation }),
                !indices.contains(index)
            else { continue }
            let olds = indices.filter { $0 < nodes.count - Self.visibleCount }
            guard olds.count < Self.maxOrigins else { break }
            // The oldest of the newest makes room.
            let newest = indices.filter { $0 >= nodes.count - Self.visibleCount }
            if let first = newest.min() { indices.remove(first) }
            indices.insert(index)
        }
        var last = -1
        return indices.sorted().map { index in
            defer { last = index }
            return Column(node: nodes[index], hiddenBefore: index - last - 1)
        }
    }

    /// Those that leave a drawn generation; the one that ended the family
    /// first, so that nothing stands between it and the end.
    func visibleBranches(of columns: [Column]) -> [Family.Branch] {
        let drawn = Set(columns.map(\.node.generation))
        let fitting = family.branches.filter { drawn.contains($0.generation) }
        let fatal = fitting.filter(\.endsFamily)
        return fatal
            + fitting.filter { !$0.endsFamily }.suffix(
                Self.maxBranches - min(fatal.count, Self.maxBranches))
    }
}
