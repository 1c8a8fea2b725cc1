/// Searches and replaces byte strings.
package enum ByteSearch {
    /// Returns `haystack` with every `needle` replaced.
    package static func replace(_ needle: [UInt8], with replacement: [UInt8], in haystack: [UInt8])
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
    package static func firstIndex(of needle: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
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
}
