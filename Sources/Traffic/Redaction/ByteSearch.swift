import Web

/// Searches and replaces byte strings.
enum ByteSearch {
    /// Returns `haystack` with every `needle` replaced.
    static func replace(_ needle: [UInt8], with replacement: [UInt8], in haystack: [UInt8])
        -> [UInt8]
    {
        guard let first = firstIndex(of: needle, in: haystack[...]) else { return haystack }
        var out: [UInt8] = []
        out.reserveCapacity(haystack.count)
        var remaining = haystack[...]
        var next: Int? = first
        while let index = next {
            out += remaining[..<index]
            out += replacement
            remaining = remaining[(index + needle.count)...]
            next = Self.firstIndex(of: needle, in: remaining)
        }
        out += remaining
        return out
    }

    /// The index of the first occurrence of `needle`.
    static func firstIndex(of needle: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
        let hay = slice.span
        let pattern = needle.span
        let last = pattern.count - 1
        guard last >= 0, hay.count > last else { return nil }
        let head = pattern[0]
        let tail = pattern[last]
        // Comparing both ends first rules out most positions.
        for offset in 0..<(hay.count - last) where hay[offset] == head && hay[offset + last] == tail
        {
            var matched = 1
            while matched < last, hay[offset + matched] == pattern[matched] { matched += 1 }
            if matched >= last { return slice.startIndex + offset }
        }
        return nil
    }

    /// The first range that looks like a compact JWS or JWE: `eyJ`, base64url characters and at
    /// least two dots (RFC 7515, 7.1).
    static func firstJWT(in slice: ArraySlice<UInt8>) -> Range<Int>? {
        let start = Array("eyJ".utf8)
        var remaining = slice
        while let index = firstIndex(of: start, in: remaining) {
            var end = index
            var dots = 0
            while end < slice.endIndex {
                let byte = slice[end]
                if byte == UInt8(ascii: ".") { dots += 1 } else if !isBase64URL(byte) { break }
                end += 1
            }
            if dots >= 2 { return index..<end }
            remaining = slice[max(end, index + 3)...]
        }
        return nil
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
