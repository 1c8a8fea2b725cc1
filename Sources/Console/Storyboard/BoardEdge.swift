import Apps

/// A transition between two columns of a board.
struct BoardEdge: Equatable {
    /// Column indices.
    var from: Int
    var to: Int
    /// The trigger; empty if it is self-evident.
    var label: String
    /// Whether it is a forward step of the flow; other edges are drawn muted.
    var isPrimary: Bool

    /// Whether it leads to the next column; drawn as an arrow between the two.
    var isAdjacent: Bool { to == from + 1 }

    /// `login leads to map: Login`.
    func description(columns: [String]) -> String {
        "\(columns[from]) leads to \(columns[to])" + (label.isEmpty ? "" : ": \(label)")
    }

    /// The edges between `columns`, the screen ids in the board's order.
    static func all(of app: App, between columns: [String]) -> [BoardEdge] {
        let columnIndices = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        let graphEdges = ScreenGraphEdge.all(of: app)
        return graphEdges.compactMap { edge in
            guard let from = columnIndices[edge.from], let to = columnIndices[edge.to] else {
                return nil
            }
            // A tab or link that leads back repeats the forward edge.
            let isBack =
                edge.isNavigationOnly && from > to
                && graphEdges.contains { $0.from == edge.to && $0.to == edge.from }
            guard !isBack else { return nil }
            return BoardEdge(
                from: from, to: to, label: edge.label,
                isPrimary: from < to && edge.label != "relaunch")
        }
    }
}
