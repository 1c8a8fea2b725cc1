/// Byte strings to be replaced, each by its own, in one pass over a text.
///
/// What it costs hardly depends on how many there are: where two bytes begin
/// none of them nothing is looked up, and elsewhere only the lengths that
/// such a one has. Of several at a place the longest goes. Who makes many
/// that begin alike, of all lengths, wants us to be busy, and is left alone.
struct SecretReplacer {
    private var replacements: [[UInt8]: [UInt8]] = [:]
    /// The lengths there are, longest first, by the first two bytes.
    private var lengths: [UInt16: [Int]] = [:]
    /// A bit for every first two bytes.
    private var prefixBitmap: [UInt64] = []

    var isEmpty: Bool { replacements.isEmpty }

    /// The first to say what is put in the place of `find` is heard; of
    /// fewer than two bytes none is looked for.
    mutating func add(_ find: [UInt8], _ put: [UInt8]) {
        guard find.count >= 2, replacements[find] == nil else { return }
        replacements[find] = put
        let key = Self.prefixKey(find[0], find[1])
        var known = lengths[key] ?? []
        if !known.contains(find.count) {
            let place = known.firstIndex { $0 < find.count } ?? known.endIndex
            known.insert(find.count, at: place)
            lengths[key] = known
        }
        if prefixBitmap.isEmpty { prefixBitmap = Array(repeating: 0, count: 1_024) }
        prefixBitmap[Int(key >> 6)] |= 1 << UInt64(key & 63)
    }

    /// Nil when more would have to be compared than any real exchange wants.
    func replace(in hay: [UInt8]) -> [UInt8]? { matches(in: hay).map { Self.apply($0, into: hay) } }

    /// The same for what `raw` says, of which `decoded` is one reading.
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

    private static func apply(_ matches: [Match], into hay: [UInt8]) -> [UInt8] {
        guard !matches.isEmpty else { return hay }
        var out: [UInt8] = []
        var copied = 0
        for match in matches {
            out += hay[copied..<match.range.lowerBound]
            out += match.replacement
            copied = match.range.upperBound
        }
        return out + hay[copied...]
    }

    private func matches(in hay: [UInt8]) -> [Match]? {
        guard !isEmpty, hay.count >= 2 else { return [] }
        let bytes = hay.span
        let known = prefixBitmap.span
        var found: [Match] = []
        var at = 0
        let last = hay.count - 1
        var left = hay.count * 64 + (1 << 20)
        while at < last {
            let key = Self.prefixKey(bytes[at], bytes[at + 1])
            guard known[Int(key >> 6)] >> UInt64(key & 63) & 1 == 1,
                let (length, put) = longestMatch(hay, at, key, &left)
            else {
                guard left > 0 else { return nil }
                at += 1
                continue
            }
            found.append(Match(range: at..<(at + length), replacement: put))
            at += length
        }
        return found
    }

    private func longestMatch(_ hay: [UInt8], _ at: Int, _ key: UInt16, _ left: inout Int) -> (
        length: Int, put: [UInt8]
    )? {
        for length in lengths[key] ?? [] where at + length <= hay.count {
            left -= length
            guard left > 0 else { return nil }
            if let put = replacements[Array(hay[at..<(at + length)])] { return (length, put) }
        }
        return nil
    }

    private static func prefixKey(_ first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(first) << 8 | UInt16(second)
    }
}
