import Web

/// What bytes say once their escapes are undone, and where each byte of it
/// stands: what was sent can be found however its sender escaped it.
struct DecodedBytes {
    private(set) var bytes: [UInt8] = []
    /// Where in the raw bytes each one begins, and the raw bytes' end.
    private(set) var rawOffsets: [Int] = []

    /// Percent escapes undone (RFC 3986, 2.1), and `+` read as a space if
    /// asked; nil if there is nothing that only this reading sees.
    init?(percent raw: [UInt8], plusIsSpace: Bool) {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        guard raw.contains(plusIsSpace ? plus : percent) else { return nil }
        var at = 0
        while at < raw.count {
            rawOffsets.append(at)
            if raw[at] == percent, at + 2 < raw.count, let byte = Self.hex(raw[(at + 1)...(at + 2)])
            {
                bytes.append(UInt8(byte))
                at += 3
            } else {
                bytes.append(plusIsSpace && raw[at] == plus ? UInt8(ascii: " ") : raw[at])
                at += 1
            }
        }
        rawOffsets.append(raw.count)
    }

    /// The escapes within JSON strings undone (RFC 8259, 7); nil if there are
    /// none.
    init?(json raw: [UInt8]) {
        let escape = UInt8(ascii: "\\")
        guard raw.contains(escape) else { return nil }
        var at = 0
        while at < raw.count {
            guard raw[at] == escape, at + 1 < raw.count else {
                rawOffsets.append(at)
                bytes.append(raw[at])
                at += 1
                continue
            }
            let (text, length) = Self.unescape(raw[at...])
            for byte in text {
                rawOffsets.append(at)
                bytes.append(byte)
            }
            at += length
        }
        rawOffsets.append(raw.count)
    }

    /// What the escape at the beginning of `rest` stands for, and its length;
    /// one that is none stands for itself.
    private static func unescape(_ rest: ArraySlice<UInt8>) -> (text: [UInt8], length: Int) {
        let at = rest.startIndex
        switch rest[at + 1] {
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "u"):
            guard let high = codeUnit(rest) else { return ([rest[at]], 1) }
            var units = [high]
            if UTF16.isLeadSurrogate(high), let low = codeUnit(rest.dropFirst(6)),
                UTF16.isTrailSurrogate(low)
            {
                units.append(low)
            }
            return (Array(String(decoding: units, as: UTF16.self).utf8), 6 * units.count)
        default: return ([rest[at + 1]], 2)
        }
    }

    /// The code unit of the `\u` escape at the beginning of `rest`.
    private static func codeUnit(_ rest: ArraySlice<UInt8>) -> UInt16? {
        guard rest.count >= 6, rest.starts(with: #"\u"#.utf8) else { return nil }
        return hex(rest.dropFirst(2).prefix(4))
    }

    private static func hex(_ digits: ArraySlice<UInt8>) -> UInt16? {
        digits.reduce(0 as UInt16?) { sum, digit in
            guard let sum else { return nil }
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                return sum << 4 | UInt16(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                return sum << 4 | UInt16((digit | 0x20) - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }
}
