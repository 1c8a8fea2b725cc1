import Web

/// Bytes with their escapes decoded, and the raw offset of each decoded byte, so that a secret can
/// be found and replaced however the sender escaped it.
struct DecodedBytes {
    private(set) var bytes: [UInt8] = []
    /// The raw offset at which each decoded byte begins, then the raw length.
    private(set) var rawOffsets: [Int] = []

    /// Decodes percent escapes (RFC 3986, 2.1), and `+` as a space if `plusIsSpace`; nil if there
    /// is nothing that only this variant decodes.
    init?(percent raw: [UInt8], plusIsSpace: Bool) {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        guard raw.contains(plusIsSpace ? plus : percent) else { return nil }
        var index = 0
        while index < raw.count {
            rawOffsets.append(index)
            if raw[index] == percent, index + 2 < raw.count,
                let byte = Self.hex(raw[(index + 1)...(index + 2)])
            {
                bytes.append(UInt8(byte))
                index += 3
            } else {
                bytes.append(plusIsSpace && raw[index] == plus ? UInt8(ascii: " ") : raw[index])
                index += 1
            }
        }
        rawOffsets.append(raw.count)
    }

    /// Decodes the escapes of JSON strings (RFC 8259, 7); nil if there are none.
    init?(json raw: [UInt8]) {
        let escape = UInt8(ascii: "\\")
        guard raw.contains(escape) else { return nil }
        var index = 0
        while index < raw.count {
            guard raw[index] == escape, index + 1 < raw.count else {
                rawOffsets.append(index)
                bytes.append(raw[index])
                index += 1
                continue
            }
            let (text, length) = Self.unescape(raw[index...])
            for byte in text {
                rawOffsets.append(index)
                bytes.append(byte)
            }
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
