/// A set of Unicode scalars: a character class.
struct ScalarSet: Sendable, Equatable {
    private var ranges: [ClosedRange<UInt32>]
    /// Sets in the class, such as `\D` in `[\D_]`.
    private var subsets: [ScalarSet] = []
    private var isNegated = false

    init(_ ranges: [ClosedRange<UInt32>], subsets: [ScalarSet] = [], isNegated: Bool = false) {
        self.ranges = ranges
        self.subsets = subsets
        self.isNegated = isNegated
    }

    init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isListed =
            ranges.contains { $0.contains(scalar.value) }
            || subsets.contains { $0.contains(scalar) }
        return isListed != isNegated
    }

    var negated: ScalarSet { ScalarSet(ranges, subsets: subsets, isNegated: !isNegated) }

    // MARK: ECMAScript's classes (ECMA-262, 22.2.2.9)

    static let digits = ScalarSet([0x30...0x39])
    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// White space and line terminators as `String.prototype.trim` defines them.
    static let whitespace = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    static let lineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}
