/// Replaces many byte strings, each with its own replacement, in one pass over a text.
///
/// The cost hardly depends on their number: positions whose two bytes begin none of them need no
/// lookup, other positions one lookup per length with that prefix. The longest match wins. A sender
/// of many secrets with a common prefix and all lengths only tries to consume CPU time; a work limit
/// stops the search.
struct SecretReplacer {
    private var replacements: [[UInt8]: [UInt8]] = [:]
    /// The lengths of the byte strings, longest first, by their first two bytes.
    private var lengths: [UInt16: [Int]] = [:]
    /// One bit for every possible two-byte prefix.
    private var prefixBitmap: [UInt64] = []

    var isEmpty: Bool { replacements.isEmpty }

    /// The first replacement added for `needle` wins; a needle of fewer than two bytes is ignored.
    mutating func add(_ needle: [UInt8], _ replacement: [UInt8]) {
        guard needle.count >= 2, replacements[needle] == nil else { return }
        replacements[needle] = replacement
        let key = Self.prefixKey(needle[0], needle[1])
        var prefixLengths = lengths[key] ?? []
        if !prefixLengths.contains(needle.count) {
            let index = prefixLengths.firstIndex { $0 < needle.count } ?? prefixLengths.endIndex
            prefixLengths.insert(needle.count, at: index)
            lengths[key] = prefixLengths
        }
        if prefixBitmap.isEmpty { prefixBitmap = Array(repeating: 0, count: 1_024) }
        prefixBitmap[Int(key >> 6)] |= 1 << UInt64(key & 63)
    }

    /// Nil if the search exceeds a work limit far above what any real exchange needs.
    func replace(in haystack: [UInt8]) -> [UInt8]? {
        matches(in: haystack).map { Self.apply($0, into: haystack) }
    }

    /// Searches `decoded`, one decoding of `raw`, and replaces the matches in `raw`.
    func replace(in raw: [UInt8], decodedAs decoded: DecodedBytes) -> [UInt8]? {
        matches(in: decoded.bytes).map { matches in
            Self.apply(
                matches.map { match in
                    Match(
                        range: decoded.rawOffsets[
                            match.range.lowerBound]..<decoded.rawOffsets[match.range.upperBound],
                        replacement: match.replacement)
                }, into: raw)
        }
    }

    private struct Match {
        var range: Range<Int>
        var replacement: [UInt8]
    }

    private static func apply(_ matches: [Match], into haystack: [UInt8]) -> [UInt8] {
        guard !matches.isEmpty else { return haystack }
        var out: [UInt8] = []
        var copied = 0
        for match in matches {
            out += haystack[copied..<match.range.lowerBound]
            out += match.replacement
            copied = match.range.upperBound
        }
        return out + haystack[copied...]
    }

    private func matches(in haystack: [UInt8]) -> [Match]? {
        guard !isEmpty, haystack.count >= 2 else { return [] }
        let bytes = haystack.span
        let bitmap = prefixBitmap.span
        var matches: [Match] = []
        var position = 0
        let last = haystack.count - 1
        var workBudget = haystack.count * 64 + (1 << 20)
        while position < last {
            let key = Self.prefixKey(bytes[position], bytes[position + 1])
            guard bitmap[Int(key >> 6)] >> UInt64(key & 63) & 1 == 1,
                let (length, replacement) = longestMatch(haystack, position, key, &workBudget)
            else {
                guard workBudget > 0 else { return nil }
                position += 1
                continue
            }
            matches.append(Match(range: position..<(position + length), replacement: replacement))
            position += length
        }
        return matches
    }

    private func longestMatch(
        _ haystack: [UInt8], _ position: Int, _ key: UInt16, _ workBudget: inout Int
    ) -> (length: Int, put: [UInt8])? {
        for length in lengths[key] ?? [] where position + length <= haystack.count {
            workBudget -= length
            guard workBudget > 0 else { return nil }
            if let replacement = replacements[Array(haystack[position..<(position + length)])] {
                return (length, replacement)
            }
        }
        return nil
    }

    private static func prefixKey(_ first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(first) << 8 | UInt16(second)
    }
}
