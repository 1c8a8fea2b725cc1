/// Which bracket lies how high above the columns, and where on a column's top
/// each of its ends stands: no two lie over each other.
struct SheetLanes {
    /// Not steps; in the order given.
    let ways: [SheetWay]
    /// By way, from the lowest, 0.
    private(set) var lane: [Int] = []
    private(set) var count = 0
    /// By way: offsets from the middle of the column at its start and end.
    private(set) var starts: [Int] = []
    private(set) var ends: [Int] = []

    /// `width` is a column's.
    init(_ ways: [SheetWay], width: Int) {
        self.ways = ways.filter { !$0.isStep }
        spread()
        place(width)
    }

    /// The shortest lie lowest.
    private mutating func spread() {
        lane = Array(repeating: 0, count: ways.count)
        let order = ways.indices.sorted { one, other in
            (ways[one].last - ways[one].first, one) < (ways[other].last - ways[other].first, other)
        }
        var taken: [[Range<Int>]] = []
        for way in order {
            let span = ways[way].first..<ways[way].last
            let free = taken.firstIndex { lane in !lane.contains { $0.overlaps(span) } }
            let chosen = free ?? taken.count
            if chosen == taken.count { taken.append([]) }
            taken[chosen].append(span)
            lane[way] = chosen
        }
        count = taken.count
    }

    /// From the left: what leads left, the lowest first, then what leads
    /// right, the highest first. So lines of one column do not cross.
    private mutating func place(_ width: Int) {
        starts = Array(repeating: 0, count: ways.count)
        ends = starts
        for column in 0...(ways.map(\.last).max() ?? 0) {
            let left = ways.indices.filter { ways[$0].last == column }.sorted {
                (lane[$0], $0) < (lane[$1], $1)
            }
            let right = ways.indices.filter { ways[$0].first == column }.sorted {
                (lane[$0], $0) > (lane[$1], $1)
            }
            let all = left + right
            guard !all.isEmpty else { continue }
            let step = min(58, (width - 60) / all.count)
            for (index, way) in all.enumerated() {
                let offset = (2 * index - all.count + 1) * step / 2
                if ways[way].from == column { starts[way] = offset } else { ends[way] = offset }
            }
        }
    }
}
