/// Reads the part of ECMAScript's regular expressions (ECMA-262, 22.2.1) that
/// needs no backtracking.
struct PatternParser {
    private var rest: Substring.UnicodeScalarView
    private var depth = 0

    static func parse(_ source: String) throws(PatternFailure) -> PatternNode {
        var parser = PatternParser(rest: source[...].unicodeScalars)
        let node = try parser.either()
        guard parser.rest.isEmpty else {
            throw PatternFailure(detail: "a ) closes nothing", mend: "Write \\) for the letter.")
        }
        return node
    }

    private init(rest: Substring.UnicodeScalarView) { self.rest = rest }

    private mutating func either() throws(PatternFailure) -> PatternNode {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .either(branches)
    }

    private mutating func sequence() throws(PatternFailure) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = rest.first, next != "|", next != ")" {
            nodes.append(try repeated(try atom()))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    // MARK: Repetition

    private mutating func repeated(_ node: PatternNode) throws(PatternFailure) -> PatternNode {
        let least: Int
        var most: Int?
        switch rest.first {
        case "*": (least, most) = (0, nil)
        case "+": (least, most) = (1, nil)
        case "?": (least, most) = (0, 1)
        case "{":
            rest.removeFirst()
            least = try count()
            most = least
            if take(",") { most = rest.first == "}" ? nil : try count() }
            guard rest.first == "}", most.map({ $0 >= least }) ?? true else {
                throw PatternFailure(
                    detail: "a repetition {…} is malformed",
                    mend: "Write {2}, {2,} or {2,5}; \\{ for the letter.")
            }
        default: return node
        }
        rest.removeFirst()
        // Lazy or not: the whole value matches or does not.
        _ = take("?")
        if let more = rest.first, "*+?{".unicodeScalars.contains(more) {
            throw PatternFailure(
                detail: "a repetition is repeated", mend: "Put the inner one in (?: … ).")
        }
        let repeated = PatternNode.repeated(node, least: least, most: most)
        guard repeated.size <= PatternProgram.longest else {
            throw PatternFailure(
                detail: "the pattern is too large", mend: "Repeat fewer times, or use min and max.")
        }
        return repeated
    }

    private mutating func count() throws(PatternFailure) -> Int {
        var digits = ""
        while let next = rest.first, ("0"..."9").contains(next) {
            digits.unicodeScalars.append(next)
            rest.removeFirst()
        }
        guard let count = Int(digits), count <= PatternProgram.longest else {
            throw PatternFailure(
                detail: "a repetition {…} has no count, or too large a one",
                mend: "Write {2}, {2,} or {2,5}; \\{ for the letter.")
        }
        return count
    }

    // MARK: Atoms

    private mutating func atom() throws(PatternFailure) -> PatternNode {
        guard let next = rest.popFirst() else { return .empty }
        switch next {
        case "^": return .start
        case "$": return .end
        case ".": return .set(ScalarSet(ScalarSet.lineEnds, negated: true))
        case "[": return .set(try set())
        case "(": return try group()
        case "\\":
            if take("b") { return .boundary(true) }
            if take("B") { return .boundary(false) }
            switch try escape() {
            case .one(let scalar): return .scalar(scalar)
            case .many(let set): return .set(set)
            }
        case "*", "+", "?", "{", "}", "]":
            throw PatternFailure(
                detail: "\(next) stands where it repeats or closes nothing",
                mend: "Write \\\(next) for the letter.")
        default: return .scalar(next)
        }
    }

    private mutating func group() throws(PatternFailure) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 32 else {
            throw PatternFailure(detail: "groups stand more than 32 deep", mend: "Use fewer.")
        }
        if take("?") {
            guard take(":") else {
                throw PatternFailure(
                    detail: "look-around and named groups are not known here",
                    mend: "Write one rule for each thing that is asked.")
            }
        }
        let node = try either()
        guard take(")") else {
            throw PatternFailure(detail: "a ( is never closed", mend: "Close it with ).")
        }
        return node
    }

    private mutating func set() throws(PatternFailure) -> ScalarSet {
        let negated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            guard let first = try member() else { throw Self.unclosed }
            guard case .one(let low) = first else {
                if case .many(let set) = first { ranges += set.members }
                continue
            }
            var ahead = rest
            guard ahead.popFirst() == "-", ahead.first != "]" else {
                ranges.append(low.value...low.value)
                continue
            }
            rest = ahead
            guard let second = try member() else { throw Self.unclosed }
            guard case .one(let high) = second, low <= high else {
                throw PatternFailure(
                    detail: "a range in [ ] runs backwards",
                    mend: "Write the lower end first; \\- for the letter.")
            }
            ranges.append(low.value...high.value)
        }
        return ScalarSet(ranges, negated: negated)
    }

    private static let unclosed = PatternFailure(
        detail: "a [ is never closed", mend: "Close it with ].")

    private mutating func member() throws(PatternFailure) -> Escape? {
        guard let next = rest.popFirst() else { return nil }
        return next == "\\" ? try escape() : .one(next)
    }

    // MARK: Escapes

    private enum Escape {
        case one(Unicode.Scalar)
        case many(ScalarSet)
    }

    /// What stands after a backslash.
    private mutating func escape() throws(PatternFailure) -> Escape {
        guard let next = rest.popFirst() else {
            throw PatternFailure(
                detail: "the pattern ends with a backslash",
                mend: "In a manifest a backslash is written twice.")
        }
        switch next {
        case "d": return .many(ScalarSet(ScalarSet.digits))
        case "D": return .many(ScalarSet(ScalarSet.digits, negated: true))
        case "w": return .many(ScalarSet(ScalarSet.word))
        case "W": return .many(ScalarSet(ScalarSet.word, negated: true))
        case "s": return .many(ScalarSet(ScalarSet.space))
        case "S": return .many(ScalarSet(ScalarSet.space, negated: true))
        case "t": return .one("\t")
        case "n": return .one("\n")
        case "r": return .one("\r")
        case "f": return .one("\u{0C}")
        case "v": return .one("\u{0B}")
        case "0": return .one("\0")
        case "x": return .one(try hex(2))
        case "u": return .one(try hex(4))
        default:
            let isLetter = next.properties.isAlphabetic || ("0"..."9").contains(next)
            guard !isLetter else {
                throw PatternFailure(
                    detail: "\\\(next) is not known here",
                    mend: "Write the letter without the backslash.")
            }
            return .one(next)
        }
    }

    private mutating func hex(_ count: Int) throws(PatternFailure) -> Unicode.Scalar {
        let braced = count == 4 && take("{")
        var digits = ""
        while let next = rest.first, next.properties.isASCIIHexDigit, braced || digits.count < count
        {
            digits.unicodeScalars.append(next)
            rest.removeFirst()
        }
        let closed = !braced || take("}")
        guard closed, braced || digits.count == count,
            let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        else {
            throw PatternFailure(
                detail: "an escape wants \(count) hexadecimal digits",
                mend: "Write them, or the letter itself.")
        }
        return scalar
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }
}
