/// A regular expression that must match an entire value, compiled at load.
///
/// It accepts the syntax that ECMAScript and Swift share, with the meaning of ECMAScript's `u`
/// flag: one Unicode scalar is one character, `\s` is ECMAScript's white space. All alternatives
/// are followed at once (Thompson, 1968), so matching takes at most the value's length times the
/// pattern's; what needs backtracking (look-around, back-references) is refused at load.
package struct Pattern: Sendable, Equatable {
    /// As written.
    package let source: String
    private let automaton: PatternAutomaton

    /// Longer values do not match; no sign-in field is longer.
    package static let maxValueLength = 4096
    private static let maxSourceBytes = 4_096

    package init(_ source: String) throws(PatternError) {
        self.source = source
        guard source.utf8.count <= Self.maxSourceBytes else {
            throw PatternError(
                "Pattern longer than \(Self.maxSourceBytes) bytes",
                "Write one rule per requirement.")
        }
        automaton = try PatternAutomaton(try PatternParser.parse(source))
    }

    /// Whether all of `value` matches.
    package func matches(_ value: String) -> Bool {
        value.utf8.count <= Self.maxValueLength * 4 && automaton.matches(value.unicodeScalars)
    }

    package static func == (lhs: Pattern, rhs: Pattern) -> Bool { lhs.source == rhs.source }
}

/// Why a pattern does not compile.
package struct PatternError: Error, Equatable {
    package let detail: String
    package let fix: String

    init(_ detail: String, _ fix: String) { (self.detail, self.fix) = (detail, fix) }
}

/// A nondeterministic finite automaton for a pattern.
private struct PatternAutomaton: Sendable {
    private enum State: Sendable {
        /// Takes a scalar of the set and goes on to the state with this index.
        case scalar(ScalarSet, next: Int)
        /// Goes on if the condition is met between two scalars.
        case assertion(PatternNode.Assertion, next: Int)
        /// Goes on to each of these states.
        case branches([Int])
        case match
    }

    private var states: [State] = [.match]
    private var start = 0
    /// Bounds the time of nested repetitions, also of those that need no state.
    private var remainingSteps = 2 * PatternParser.maxRepetitions

    init(_ node: PatternNode) throws(PatternError) { start = try add(node, then: 0) }

    /// Adds the states of `node` before the state `next` and returns the index of their first.
    private mutating func add(_ node: PatternNode, then next: Int) throws(PatternError) -> Int {
        remainingSteps -= 1
        guard remainingSteps >= 0 else {
            throw PatternError("Pattern too large", "Repeat fewer times, or use min and max.")
        }
        switch node {
        case .scalar(let set): return append(.scalar(set, next: next))
        case .assertion(let assertion): return append(.assertion(assertion, next: next))
        case .sequence(let nodes):
            var first = next
            for node in nodes.reversed() { first = try add(node, then: first) }
            return first
        case .alternation(let nodes):
            var branches: [Int] = []
            for node in nodes { branches.append(try add(node, then: next)) }
            return append(.branches(branches))
        case .repetition(let node, let least, let most):
            var first = next
            if let most {
                for _ in least..<most {
                    first = append(.branches([try add(node, then: first), next]))
                }
            } else {
                first = append(.branches([]))
                states[first] = .branches([try add(node, then: first), next])
            }
            for _ in 0..<least { first = try add(node, then: first) }
            return first
        }
    }

    private mutating func append(_ state: State) -> Int {
        states.append(state)
        return states.count - 1
    }

    // MARK: Matching

    func matches(_ scalars: String.UnicodeScalarView) -> Bool {
        var current = reachable([start], before: nil, after: scalars.first)
        var remaining = scalars[...]
        while let scalar = remaining.popFirst() {
            guard !current.isEmpty else { return false }
            let next = current.compactMap { index in
                if case .scalar(let set, let next) = states[index], set.contains(scalar) {
                    next
                } else {
                    nil
                }
            }
            current = reachable(next, before: scalar, after: remaining.first)
        }
        return current.contains(0)
    }

    /// The states reachable from `first` between two scalars that take a scalar or match.
    private func reachable(_ first: [Int], before: Unicode.Scalar?, after: Unicode.Scalar?) -> [Int]
    {
        var visited = [Bool](repeating: false, count: states.count)
        var pending = first
        var found: [Int] = []
        while let index = pending.popLast() {
            guard !visited[index] else { continue }
            visited[index] = true
            switch states[index] {
            case .scalar, .match: found.append(index)
            case .branches(let branches): pending += branches
            case .assertion(let assertion, let next):
                if assertion.isMet(before: before, after: after) { pending.append(next) }
            }
        }
        return found
    }
}

/// A set of Unicode scalars: a character class.
package struct ScalarSet: Sendable, Equatable {
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

    package func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isListed =
            ranges.contains { $0.contains(scalar.value) }
            || subsets.contains { $0.contains(scalar) }
        return isListed != isNegated
    }

    var negated: ScalarSet { ScalarSet(ranges, subsets: subsets, isNegated: !isNegated) }

    // MARK: ECMAScript's classes (ECMA-262, 22.2.2.9)

    package static let digits = ScalarSet([0x30...0x39])
    package static let wordCharacters = ScalarSet([
        0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A,
    ])
    /// White space and line terminators as `String.prototype.trim` defines them.
    package static let whitespace = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    static let lineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}
