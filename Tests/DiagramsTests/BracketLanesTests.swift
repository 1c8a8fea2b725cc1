import Support
import Testing

@testable import Diagrams

@Suite(.timeLimit(.minutes(10))) struct BracketLanesTests {
    private func randomSpans(_ fuzz: inout Fuzz) -> [(from: Int, to: Int)] {
        let columns = Array(0..<2 + fuzz.number(below: 7))
        return (0..<1 + fuzz.number(below: 9)).map { _ in
            (fuzz.one(of: columns), fuzz.one(of: columns))
        }.filter { $0.0 != $0.1 }
    }

    @Test func `brackets in one lane do not overlap`() async {
        await Cases("lanes").check { fuzz in
            let spans = randomSpans(&fuzz)
            let lanes = BracketLanes(spans, columnWidth: 418)
            try #require(lanes.brackets.map(\.from) == spans.map(\.from))
            for (index, one) in lanes.brackets.enumerated() {
                try #require(one.lane < lanes.laneCount)
                for other in lanes.brackets.dropFirst(index + 1) where one.lane == other.lane {
                    try #require(
                        max(one.from, one.to) <= min(other.from, other.to)
                            || max(other.from, other.to) <= min(one.from, one.to))
                }
            }
            return lanes.laneCount > 1
        }
    }

    @Test(arguments: [403, 418, 458, 848])
    func `ends on a column are spaced apart and within it`(width: Int) async {
        await Cases("ends of brackets").check { fuzz in
            let lanes = BracketLanes(randomSpans(&fuzz), columnWidth: width)
            var ends: [Int: [Int]] = [:]
            for bracket in lanes.brackets {
                ends[bracket.from, default: []].append(bracket.startOffset)
                ends[bracket.to, default: []].append(bracket.endOffset)
            }
            for offsets in ends.values {
                let sorted = offsets.sorted()
                try #require(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 > 20 })
                try #require(sorted.allSatisfy { abs($0) < width / 2 })
            }
            return ends.values.contains { $0.count > 1 }
        }
    }

    @Test func `the lines of one column cross none of its brackets`() {
        // Two brackets to the right: the higher one starts further left.
        let lanes = BracketLanes([(0, 2), (0, 4), (5, 4), (2, 4)], columnWidth: 418).brackets
        #expect(lanes.map(\.lane) == [0, 1, 0, 0])
        #expect(lanes[1].startOffset < lanes[0].startOffset)
        #expect(lanes[3].endOffset < lanes[1].endOffset)
        #expect(lanes[1].endOffset < lanes[2].endOffset)
    }
}
