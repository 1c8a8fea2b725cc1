import Web

extension ByteSearch {
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
