/// Looks for byte strings in byte strings.
enum ByteSearch {
    /// `haystack` with every `needle` replaced.
    static func replace(_ needle: [UInt8], with replacement: [UInt8], in haystack: [UInt8])
        -> [UInt8]
    {
        guard let first = firstIndex(of: needle, in: haystack[...]) else { return haystack }
        var out: [UInt8] = []
        out.reserveCapacity(haystack.count)
        var rest = haystack[...]
        var next: Int? = first
        while let at = next {
            out += rest[..<at]
            out += replacement
            rest = rest[(at + needle.count)...]
            next = Self.firstIndex(of: needle, in: rest)
        }
        out += rest
        return out
    }

    /// Where `needle` stands first.
    static func firstIndex(of needle: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
        let hay = slice.span
        let find = needle.span
        let last = find.count - 1
        guard last >= 0, hay.count > last else { return nil }
        let head = find[0]
        let tail = find[last]
        // Both ends first: most places are told apart by them.
        for at in 0..<(hay.count - last) where hay[at] == head && hay[at + last] == tail {
            var same = 1
            while same < last, hay[at + same] == find[same] { same += 1 }
            if same >= last { return slice.startIndex + at }
        }
        return nil
    }

    /// The first run that looks like a compact JWS or JWE: `eyJ`, base 64 URL
    /// characters and at least two dots (RFC 7515, 7.1).
    static func firstJWT(in slice: ArraySlice<UInt8>) -> Range<Int>? {
        let start = Array("eyJ".utf8)
        var rest = slice
        while let at = firstIndex(of: start, in: rest) {
            var end = at
            var dots = 0
            while end < slice.endIndex {
                let byte = slice[end]
                if byte == UInt8(ascii: ".") { dots += 1 } else if !isBase64URL(byte) { break }
                end += 1
            }
            if dots >= 2 { return at..<end }
            rest = slice[max(end, at + 3)...]
        }
        return nil
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
