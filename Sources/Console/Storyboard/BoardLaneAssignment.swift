/// Assigns a lane to each bracket and an offset on the column's top to each end, so that none
/// overlap.
struct BoardLaneAssignment {
    /// The edges that need a bracket (not `isAdjacent`), in the given order.
    let edges: [BoardEdge]
    /// By edge index; 0 is the lowest lane.
    private(set) var laneByEdge: [Int] = []
    private(set) var laneCount = 0
    /// By edge index: the offsets of its start and end from the center of the column.
    private(set) var startOffsets: [Int] = []
    private(set) var endOffsets: [Int] = []

    /// `width` is the width of a column.
    init(_ allEdges: [BoardEdge], width: Int) {
        self.edges = allEdges.filter { !$0.isAdjacent }
        assignLanes()
        assignOffsets(columnWidth: width)
    }

    /// Shorter edges get lower lanes.
    private mutating func assignLanes() {
        laneByEdge = Array(repeating: 0, count: edges.count)
        let order = edges.indices.sorted { lhs, rhs in
            (edges[lhs].lastColumn - edges[lhs].firstColumn, lhs) < (
                edges[rhs].lastColumn - edges[rhs].firstColumn, rhs
            )
        }
        var occupied: [[Range<Int>]] = []
        for edgeIndex in order {
            let span = edges[edgeIndex].firstColumn..<edges[edgeIndex].lastColumn
            let free = occupied.firstIndex { lane in !lane.contains { $0.overlaps(span) } }
            let laneIndex = free ?? occupied.count
            if laneIndex == occupied.count { occupied.append([]) }
            occupied[laneIndex].append(span)
            laneByEdge[edgeIndex] = laneIndex
        }
        laneCount = occupied.count
    }

    /// Orders the ends on each column: first the edges to the left, lowest lane first, then the
    /// edges to the right, highest lane first. This way the vertical lines of one column cross no
    /// bracket.
    private mutating func assignOffsets(columnWidth width: Int) {
        startOffsets = Array(repeating: 0, count: edges.count)
        endOffsets = startOffsets
        for column in 0...(edges.map(\.lastColumn).max() ?? 0) {
            let left = edges.indices.filter { edges[$0].lastColumn == column }.sorted {
                (laneByEdge[$0], $0) < (laneByEdge[$1], $1)
            }
            let right = edges.indices.filter { edges[$0].firstColumn == column }.sorted {
                (laneByEdge[$0], $0) > (laneByEdge[$1], $1)
            }
            let all = left + right
            guard !all.isEmpty else { continue }
            let step = min(58, (width - 60) / all.count)
            for (index, edgeIndex) in all.enumerated() {
                let offset = (2 * index - all.count + 1) * step / 2
                if edges[edgeIndex].from == column {
                    startOffsets[edgeIndex] = offset
                } else {
                    endOffsets[edgeIndex] = offset
                }
            }
        }
    }
}
