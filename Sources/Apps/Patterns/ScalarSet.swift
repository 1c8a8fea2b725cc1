/// A set of Unicode scalars: a character class.
struct ScalarSet: Sendable, Equatable {
    private var ranges: [ClosedRange<UInt32>]
    private var isNegated: Bool
    /// One bit per ASCII scalar, negation included.
    private var lowBits: UInt64 = 0
    private var highBits: UInt64 = 0

    init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
        self.ranges = ranges
        self.isNegated = isNegated
        for value in UInt32(0)..<128
        where ranges.contains(where: { $0.contains(value) }) != isNegated {
            if value < 64 { lowBits |= 1 << value } else { highBits |= 1 << (value - 64) }
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 64 { return lowBits >> value & 1 == 1 }
        if value < 128 { return highBits >> (value - 64) & 1 == 1 }
        return ranges.contains { $0.contains(value) } != isNegated
    }

    /// The set's ranges with the negation applied.
    var effectiveRanges: [ClosedRange<UInt32>] {
        guard isNegated else { return ranges }
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = max(next, range.upperBound + 1)
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return gaps
    }

    // MARK: ECMAScript's classes (ECMA-262, 22.2.2.9)

    static let digitRanges: [ClosedRange<UInt32>] = [0x30...0x39]
    static let wordRanges: [ClosedRange<UInt32>] = [
        0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A,
    ]
    /// White space and line terminators as `String.prototype.trim` defines them.
    static let whitespaceRanges: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680,
        0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F,
        0x3000...0x3000, 0xFEFF...0xFEFF,
    ]
    static let lineEndRanges: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]

    static let whitespace = ScalarSet(whitespaceRanges)
    static let wordCharacters = ScalarSet(wordRanges)
}
