/// Brackets above a row of columns, which connect two columns each: a lane for each bracket and a
/// place on the column for each end, so that none overlap.
package struct BracketLanes: Sendable {
    /// A connection between two columns.
    package struct Bracket: Sendable {
        /// Column indices.
        package let from: Int
        package let to: Int
        /// 0 is the lowest lane.
        package fileprivate(set) var lane = 0
        /// From the centers of the columns.
        package fileprivate(set) var startOffset = 0
        package fileprivate(set) var endOffset = 0

        fileprivate var span: Range<Int> { min(from, to)..<max(from, to) }
    }

    /// In the given order.
    package private(set) var brackets: [Bracket]

    package var laneCount: Int { (brackets.map(\.lane).max() ?? -1) + 1 }

    /// `spans` are pairs of different columns.
    package init(_ spans: [(from: Int, to: Int)], columnWidth: Int) {
        brackets = spans.map { Bracket(from: $0.from, to: $0.to) }
        assignLanes()
        for column in Set(spans.flatMap { [$0.from, $0.to] }) {
            assignOffsets(column, width: columnWidth)
        }
    }

    /// Shorter brackets get lower lanes.
    private mutating func assignLanes() {
        var occupied: [[Range<Int>]] = []
        let order = brackets.indices.sorted {
            (brackets[$0].span.count, $0) < (brackets[$1].span.count, $1)
        }
        for index in order {
            let span = brackets[index].span
            let lane = occupied.firstIndex { !$0.contains { $0.overlaps(span) } } ?? occupied.count
            if lane == occupied.count { occupied.append([]) }
            occupied[lane].append(span)
            brackets[index].lane = lane
        }
    }

    /// Orders the ends on a column: first the brackets to the left, lowest lane first, then those
    /// to the right, highest lane first. This way the vertical lines of one column cross no
    /// bracket.
    private mutating func assignOffsets(_ column: Int, width: Int) {
        let byLane = brackets.indices.sorted { (brackets[$0].lane, $0) < (brackets[$1].lane, $1) }
        let ends =
            byLane.filter { brackets[$0].span.upperBound == column }
            + byLane.reversed().filter { brackets[$0].span.lowerBound == column }
        let step = min(58, (width - 60) / ends.count)
        for (position, index) in ends.enumerated() {
            let offset = (2 * position - ends.count + 1) * step / 2
            if brackets[index].from == column {
                brackets[index].startOffset = offset
            } else {
                brackets[index].endOffset = offset
            }
        }
    }
}
