/// Which bracket lies how high above the columns, and where on a column's top
/// each of its ends stands: no two lie over each other.
struct BoardLaneAssignment {
    /// Not steps; in the order given.
    let edges: [BoardEdge]
    /// By way, from the lowest, 0.
    private(set) var laneByEdge: [Int] = []
    private(set) var laneCount = 0
    /// By way: offsets from the middle of the column at its start and end.
    private(set) var startOffsets: [Int] = []
    private(set) var endOffsets: [Int] = []

    /// `width` is a column's.
    init(_ ways: [BoardEdge], width: Int) {
        self.edges = ways.filter { !$0.isAdjacent }
        assignLanes()
        assignOffsets(columnWidth: width)
    }

    /// The shortest lie lowest.
    private mutating func assignLanes() {
        laneByEdge = Array(repeating: 0, count: edges.count)
        let order = edges.indices.sorted { one, other in
            (edges[one].lastColumn - edges[one].firstColumn, one) < (
                edges[other].lastColumn - edges[other].firstColumn, other
            )
        }
        var taken: [[Range<Int>]] = []
        for way in order {
            let span = edges[way].firstColumn..<edges[way].lastColumn
            let free = taken.firstIndex { lane in !lane.contains { $0.overlaps(span) } }
            let chosen = free ?? taken.count
            if chosen == taken.count { taken.append([]) }
            taken[chosen].append(span)
            laneByEdge[way] = chosen
        }
        laneCount = taken.count
    }

    /// From the left: what leads left, the lowest first, then what leads
    /// right, the highest first. So lines of one column do not cross.
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
            for (index, way) in all.enumerated() {
                let offset = (2 * index - all.count + 1) * step / 2
                if edges[way].from == column {
                    startOffsets[way] = offset
                } else {
                    endOffsets[way] = offset
                }
            }
        }
    }
}
