/// Parses the subset of ECMAScript's regular expressions (ECMA-262, 22.2.1) that needs no
/// backtracking.
struct PatternParser {
    private var rest: Substring.UnicodeScalarView
    private var depth = 0

    static let maxRepetitions = 2000

    static func parse(_ source: String) throws(PatternError) -> PatternNode {
        var parser = PatternParser(rest: source[...].unicodeScalars)
        let node = try parser.alternation()
        guard parser.rest.isEmpty else {
            throw PatternError("Unmatched )", "Write \\) for the character.")
        }
        return node
    }

    private mutating func alternation() throws(PatternError) -> PatternNode {
        var branches = [try sequence()]
        while rest.take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternation(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = rest.first, next != "|", next != ")" {
            nodes.append(try repetition(try atom()))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    // MARK: Repetition

    private mutating func repetition(_ node: PatternNode) throws(PatternError) -> PatternNode {
        let least: Int
        var most: Int?
        switch rest.first {
        case "*": (least, most) = (0, nil)
        case "+": (least, most) = (1, nil)
        case "?": (least, most) = (0, 1)
        case "{":
            rest.removeFirst()
            least = try repetitionCount()
            most = least
            if rest.take(",") { most = rest.first == "}" ? nil : try repetitionCount() }
            guard rest.first == "}", most.map({ $0 >= least }) ?? true else {
                throw PatternError(
                    "Malformed repetition {…}", "Write {2}, {2,} or {2,5}; \\{ for the character.")
            }
        default: return node
        }
        rest.removeFirst()
        // Lazy and greedy are equivalent: the entire value matches or does not.
        _ = rest.take("?")
        if let more = rest.first, "*+?{".unicodeScalars.contains(more) {
            throw PatternError("Repeated repetition", "Put the inner one in (?: … ).")
        }
        return .repetition(node, min: least, max: most)
    }

    private mutating func repetitionCount() throws(PatternError) -> Int {
        guard let count = Int(rest.take { ("0"..."9").contains($0) }), count <= Self.maxRepetitions
        else {
            throw PatternError(
                "Missing or too large count in a repetition {…}",
                "Write {2}, {2,} or {2,5}; \\{ for the character.")
        }
        return count
    }

    // MARK: Atoms

    private mutating func atom() throws(PatternError) -> PatternNode {
        guard let next = rest.popFirst() else { return .sequence([]) }
        switch next {
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case ".": return .scalar(ScalarSet.lineEnds.negated)
        case "[": return .scalar(try characterClass())
        case "(": return try group()
        case "\\":
            if rest.take("b") { return .assertion(.wordBoundary) }
            if rest.take("B") { return .assertion(.noWordBoundary) }
            switch try escape() {
            case .scalar(let scalar): return .scalar(ScalarSet(scalar))
            case .set(let set): return .scalar(set)
            }
        case "*", "+", "?", "{", "}", "]":
            throw PatternError("Unexpected \(next)", "Write \\\(next) for the character.")
        default: return .scalar(ScalarSet(next))
        }
    }

    private mutating func group() throws(PatternError) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 32 else {
            throw PatternError("Groups nested more than 32 deep", "Use fewer groups.")
        }
        if rest.take("?") {
            guard rest.take(":") else {
                throw PatternError(
                    "Look-around and named groups are not supported",
                    "Write one rule per requirement.")
            }
        }
        let node = try alternation()
        guard rest.take(")") else { throw PatternError("Unclosed (", "Close it with ).") }
        return node
    }

    private mutating func characterClass() throws(PatternError) -> ScalarSet {
        let negated = rest.take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var subsets: [ScalarSet] = []
        while !rest.take("]") {
            guard let first = try classMember() else { throw Self.unclosedClass }
            guard case .scalar(let low) = first else {
                if case .set(let set) = first { subsets.append(set) }
                continue
            }
            var ahead = rest
            guard ahead.popFirst() == "-", ahead.first != "]" else {
                ranges.append(low.value...low.value)
                continue
            }
            rest = ahead
            guard let second = try classMember() else { throw Self.unclosedClass }
            guard case .scalar(let high) = second, low <= high else {
                throw PatternError(
                    "Reversed range in [ ]", "Write the lower end first; \\- for the character.")
            }
            ranges.append(low.value...high.value)
        }
        return ScalarSet(ranges, subsets: subsets, isNegated: negated)
    }

    private static let unclosedClass = PatternError("Unclosed [", "Close it with ].")

    private mutating func classMember() throws(PatternError) -> Escape? {
        guard let next = rest.popFirst() else { return nil }
        return next == "\\" ? try escape() : .scalar(next)
    }

    // MARK: Escapes

    private enum Escape {
        case scalar(Unicode.Scalar)
        case set(ScalarSet)
    }

    /// The escapes of one letter or digit.
    private static let escapes: [Unicode.Scalar: Escape] = [
        "d": .set(.digits), "D": .set(ScalarSet.digits.negated), "w": .set(.wordCharacters),
        "W": .set(ScalarSet.wordCharacters.negated), "s": .set(.whitespace),
        "S": .set(ScalarSet.whitespace.negated), "t": .scalar("\t"), "n": .scalar("\n"),
        "r": .scalar("\r"), "f": .scalar("\u{0C}"), "v": .scalar("\u{0B}"), "0": .scalar("\0"),
    ]

    /// The escape after a backslash.
    private mutating func escape() throws(PatternError) -> Escape {
        guard let next = rest.popFirst() else {
            throw PatternError(
                "Pattern ends with a backslash", "Write a backslash twice in a manifest.")
        }
        if let escape = Self.escapes[next] { return escape }
        switch next {
        case "x": return .scalar(try hex(2))
        case "u": return .scalar(try hex(4))
        default:
            let isLetter = next.properties.isAlphabetic || ("0"..."9").contains(next)
            guard !isLetter else {
                throw PatternError(
                    "Unsupported escape \\\(next)", "Write the character without the backslash.")
            }
            return .scalar(next)
        }
    }

    private mutating func hex(_ count: Int) throws(PatternError) -> Unicode.Scalar {
        let braced = count == 4 && rest.take("{")
        let digits = rest.take(atMost: braced ? .max : count, while: \.properties.isASCIIHexDigit)
        let closed = !braced || rest.take("}")
        guard closed, braced || digits.count == count,
            let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        else {
            throw PatternError(
                "An escape needs \(count) hexadecimal digits",
                "Write them, or the character itself.")
        }
        return scalar
    }
}

/// The syntax tree of a regular expression.
indirect enum PatternNode: Sendable {
    case scalar(ScalarSet)
    case assertion(Assertion)
    case sequence([PatternNode])
    case alternation([PatternNode])
    /// nil: unbounded.
    case repetition(PatternNode, min: Int, max: Int?)

    /// A condition on a position between two scalars.
    enum Assertion: Sendable {
        case start, end, wordBoundary, noWordBoundary

        func isMet(before: Unicode.Scalar?, after: Unicode.Scalar?) -> Bool {
            let isWord = { (scalar: Unicode.Scalar?) in
                scalar.map(ScalarSet.wordCharacters.contains) ?? false
            }
            return switch self {
            case .start: before == nil
            case .end: after == nil
            case .wordBoundary: isWord(before) != isWord(after)
            case .noWordBoundary: isWord(before) == isWord(after)
            }
        }
    }
}
