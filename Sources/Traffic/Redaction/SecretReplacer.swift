import Web

/// Replaces many byte strings, each with its own replacement, in one pass over a text.
///
/// The cost hardly depends on their number: positions whose two bytes begin none of them need no
/// lookup, other positions one lookup per length with that prefix. The longest match wins. A sender
/// of many secrets with a common prefix and all lengths only tries to consume CPU time; a work
/// limit stops the search.
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
    ) -> (length: Int, replacement: [UInt8])? {
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

/// Bytes with their escapes decoded, and the raw offset of each decoded byte, so that a secret can
/// be found and replaced however the sender escaped it.
struct DecodedBytes {
    private(set) var bytes: [UInt8] = []
    /// The raw offset at which each decoded byte begins, then the raw length.
    private(set) var rawOffsets: [Int] = []

    enum Escape: CaseIterable { case json, plusAndPercent, percent }

    /// Decodes the escapes of JSON strings (RFC 8259, 7), or percent escapes (RFC 3986, 2.1), with
    /// or without `+` as a space; nil if there is nothing that only this variant decodes.
    init?(_ raw: [UInt8], _ escape: Escape) {
        let marker: UInt8 =
            switch escape {
            case .json: UInt8(ascii: "\\")
            case .plusAndPercent: UInt8(ascii: "+")
            case .percent: UInt8(ascii: "%")
            }
        guard ByteSearch.firstIndex(of: [marker], in: raw[...]) != nil else { return nil }
        bytes.reserveCapacity(raw.count)
        rawOffsets.reserveCapacity(raw.count + 1)
        var index = 0
        while index < raw.count {
            var length = 1
            switch raw[index] {
            case UInt8(ascii: "\\") where escape == .json && index + 1 < raw.count:
                let (text, escapeLength) = Self.unescape(raw[index...])
                rawOffsets += repeatElement(index, count: text.count)
                bytes += text
                index += escapeLength
                continue
            case UInt8(ascii: "+") where escape == .plusAndPercent: bytes.append(0x20)
            case UInt8(ascii: "%") where escape != .json && index + 2 < raw.count:
                let byte = Self.hex(raw[(index + 1)...(index + 2)])
                bytes.append(byte.map { UInt8($0) } ?? raw[index])
                if byte != nil { length = 3 }
            case let byte: bytes.append(byte)
            }
            rawOffsets.append(index)
            index += length
        }
        rawOffsets.append(raw.count)
    }

    /// Decodes the escape at the start of `input` and returns its raw length; an invalid escape
    /// decodes to its own first byte.
    private static func unescape(_ input: ArraySlice<UInt8>) -> (text: [UInt8], length: Int) {
        let start = input.startIndex
        switch input[start + 1] {
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "u"):
            guard let high = codeUnit(input) else { return ([input[start]], 1) }
            var units = [high]
            if UTF16.isLeadSurrogate(high), let low = codeUnit(input.dropFirst(6)),
                UTF16.isTrailSurrogate(low)
            {
                units.append(low)
            }
            return (Array(String(decoding: units, as: UTF16.self).utf8), 6 * units.count)
        default: return ([input[start + 1]], 2)
        }
    }

    /// The code unit of the `\u` escape at the start of `input`.
    private static func codeUnit(_ input: ArraySlice<UInt8>) -> UInt16? {
        guard input.count >= 6, input.starts(with: #"\u"#.utf8) else { return nil }
        return hex(input.dropFirst(2).prefix(4))
    }

    private static func hex(_ digits: ArraySlice<UInt8>) -> UInt16? {
        digits.reduce(0 as UInt16?) { sum, digit in
            guard let sum, let value = digit.hexDigitValue else { return nil }
            return sum << 4 | UInt16(value)
        }
    }
}
